"""How far the matches are, for the line that the supervisor shows."""

from dataclasses import dataclass

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import func, select

from gangland_web.models.database import Database
from gangland_web.models.matches import Match, MatchState


@dataclass(frozen=True, slots=True)
class Progress:
    """Matches scheduled so far, those over, and those under way."""

    scheduled: int
    over: int
    under_way: int

    @property
    def sentence(self) -> str:
        """The line to show."""
        if self.over == self.scheduled:
            return f"all {self.scheduled} scheduled matches are played"
        return f"{self.over} of {self.scheduled} scheduled matches played, {self.under_way} under way"


def read_progress(database: Database) -> Progress | None:
    """Return how far the matches are; None while the database is not to be had."""
    try:
        with database.read() as session:
            counted = session.exec(select(Match.state, func.count()).group_by(Match.state)).all()
    except SQLAlchemyError:
        return None
    by_state = dict(counted)
    over = by_state.get(MatchState.DONE.value, 0) + by_state.get(MatchState.VOID.value, 0)
    return Progress(sum(by_state.values()), over, by_state.get(MatchState.LEASED.value, 0))

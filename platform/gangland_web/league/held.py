"""Which quarantines all may know of."""

from typing import Any, Final

from sqlalchemy import literal_column
from sqlmodel import Session, col, select

from gangland_ladder.tournaments.lifecycle import State, Viewer, results_are_shown
from gangland_web.base.clock import now_s
from gangland_web.models.tournaments import Entry, Tournament

QUARANTINED: Final[Any] = literal_column("entries.quarantined")
"""As the index ix_entries_quarantined has it."""


def is_public(tournament: Tournament) -> bool:
    """Return whether all may know of a quarantine that a match of this tournament or ladder led to.

    Under an embargo it would say that a match could not be played, and for whom.
    """
    if tournament.kind != "tournament":
        return True
    return results_are_shown(State(tournament.state), Viewer.PUBLIC, tournament.embargo_until, now_s())


def publicly_held(session: Session) -> list[int]:
    """Return the versions in a quarantine that all may know of."""
    chosen = select(Entry.version_id, Tournament).join(Tournament, col(Tournament.id) == Entry.tournament_id)
    rows = session.exec(chosen.where(QUARANTINED)).all()
    return sorted({version for version, tournament in rows if is_public(tournament)})

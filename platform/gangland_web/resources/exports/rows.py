"""The tables that are exported, read in short pieces: nobody who reads slowly holds the database up.

Each generator opens a session for a window of match numbers at a time.  What is played meanwhile may be in
later windows; how far a table goes is settled when it begins.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import select
from sqlmodel import Session, col, func

from gangland_web.base.formats import Row
from gangland_web.models.database import Database
from gangland_web.models.matches import Match
from gangland_web.models.tournaments import Epoch
from gangland_web.resources.entries import EntryRating
from gangland_web.resources.ladders.days import LadderDay
from gangland_web.resources.matches.rows import GameRow, MatchRow, read_games, read_matches
from gangland_web.resources.tournaments.standings import StandingRow

MATCH_WINDOW: Final = 500
GAME_WINDOW: Final = 25
"""Matches that are read at once."""


class What(StrEnum):
    """What can be exported as a table."""

    MATCHES = "matches"
    GAMES = "games"
    STANDINGS = "standings"
    RATINGS = "ratings"
    DAYS = "days"


ROWS: Final[dict[What, Any]] = {
    What.MATCHES: MatchRow,
    What.GAMES: GameRow,
    What.STANDINGS: StandingRow,
    What.RATINGS: EntryRating,
    What.DAYS: LadderDay,
}
"""The model of each table's rows: its members are the columns, in order; docs/exports.md says what is in them."""


@dataclass(frozen=True, slots=True)
class Span:
    """Which matches: by number, both ends included, or those of one day of a ladder; all of them if nothing is said.

    Attributes:
        day: counts days since 1970-01-01, as `Epoch.day` does.
    """

    first: int | None = None
    last: int | None = None
    day: int | None = None


def numbers(session: Session, tournament_id: int, span: Span) -> range:
    """Return the numbers of the matches that a span asks for, as far as there are any."""
    chosen = select(func.min(Match.number), func.max(Match.number)).where(col(Match.tournament_id) == tournament_id)
    if span.day is not None:
        epochs = select(col(Epoch.id)).where(col(Epoch.tournament_id) == tournament_id, col(Epoch.day) == span.day)
        chosen = chosen.where(col(Match.epoch_id).in_(epochs))
    low, high = session.connection().execute(chosen).one()
    if low is None:
        return range(0)
    return range(max(low, span.first or low), min(high, high if span.last is None else span.last) + 1)


def matches(database: Database, tournament_id: int, wanted: range) -> Iterator[Row]:
    """Yield a row for each match and entry, by number and entry."""
    return _by_windows(database, tournament_id, wanted, MATCH_WINDOW, read_matches)


def games(database: Database, tournament_id: int, wanted: range) -> Iterator[Row]:
    """Yield a row for each game and seat, by match, block, rotation and seat."""
    return _by_windows(database, tournament_id, wanted, GAME_WINDOW, read_games)


def _by_windows(
    database: Database, tournament_id: int, wanted: range, size: int, read: Callable[[Session, int, range], list[Row]]
) -> Iterator[Row]:
    for at in range(wanted.start, wanted.stop, size):
        with database.read() as session:
            found = read(session, tournament_id, range(at, min(at + size, wanted.stop)))
        yield from found

"""Retention: deleting the logs and replays of old matches, whose results, places and ratings stay."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, bindparam, or_
from sqlmodel import Session, col, delete, select, update

from gangland.replay import ReplayError
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.formats import DAY_S, now_s
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database
from gangland_web.models.jobs import GameAnalysis
from gangland_web.models.matches import RATED, Match, MatchState, PlayedGame, Purpose
from gangland_web.models.tournaments import LadderDay, Tournament

BATCH: Final = 50  # matches per transaction, so that other transactions do not wait long
MAX_MATCHES: Final = 5_000  # matches per run; the next run continues
DELETED_TEXT: Final = "The replays of this match are no longer stored, only its result."


class Trim(IntEnum):
    """The parts of a match that were deleted."""

    NOTHING = 0
    LOGS = 1
    REPLAYS = 2


class ReplaysDeleted(ReplayError):
    """A replay is no longer stored."""


@dataclass(frozen=True, slots=True)
class RetentionPeriods:
    """How many days logs are stored after a match, and replays after they are no longer needed as proof; 0: forever."""

    logs_days: int = 0
    replays_days: int = 0


def require_replays(match: Match) -> None:
    """Check that a match's replays are still stored.  Raises ReplaysDeleted."""
    if match.trimmed >= Trim.REPLAYS:
        raise ReplaysDeleted(DELETED_TEXT)


def lacks_replays(session: Session, tournament_id: int, first: int, last: int) -> bool:
    """Return whether replays have been deleted for a match with a number from `first` to `last`."""
    query = select(Match.id).where(Match.tournament_id == tournament_id, col(Match.number).between(first, last))
    return session.exec(query.where(col(Match.trimmed) >= Trim.REPLAYS).limit(1)).first() is not None


def drop_old(database: Database, periods: RetentionPeriods) -> int:
    """Delete old logs and replays, and return the number of matches concerned."""
    dropped = 0
    for days, part in ((periods.replays_days, Trim.REPLAYS), (periods.logs_days, Trim.LOGS)):
        while days and dropped < MAX_MATCHES:
            with database.write() as session:
                count = _drop(session, part, now_s() - days * DAY_S)
            if count == 0:
                break
            dropped += count
    return dropped


def _drop(session: Session, part: Trim, before: float) -> int:
    is_old = (Match.state == MatchState.DONE.value, col(Match.done_at) < before, col(Match.key).is_(None))
    query = select(Match.id).where(*is_old)  # private matches are deleted with their run or table
    query = query.where(col(Match.trimmed).in_(range(part)))
    if part is Trim.REPLAYS:
        query = query.where(_proven_condition(before))
    ids = [row_id(match) for match in session.exec(query.order_by(col(Match.done_at), col(Match.id)).limit(BATCH))]
    if not ids:
        return 0
    is_of_matches = col(PlayedGame.match_id).in_(ids)
    session.exec(
        _unsynchronized(update(PlayedGame).where(is_of_matches, col(PlayedGame.logs).is_not(None)).values(logs=None))
    )
    if part is Trim.REPLAYS:
        _drop_decisions(session, ids)
        games = select(PlayedGame.id).where(is_of_matches)
        session.exec(_unsynchronized(delete(GameAnalysis).where(col(GameAnalysis.game_id).in_(games))))
    session.exec(_unsynchronized(update(Match).where(col(Match.id).in_(ids)).values(trimmed=int(part))))
    return len(ids)


def _proven_condition(before: float) -> ColumnElement[bool]:
    """Return the condition that a match's replays were no longer needed as proof at the time `before`."""
    # A replay stays while it may be needed as proof. Its days count from the publication of the tournament's or the
    # day's secret, and a ladder's match must also be rated. Matches of a canceled tournament are never proven.
    over_tournaments = select(col(Tournament.id)).where(
        or_(col(Tournament.revealed_at) < before, col(Tournament.state) == State.CANCELED.value)
    )
    revealed_days = select(col(LadderDay.id)).where(col(LadderDay.revealed_at) < before)
    rated = select(col(Tournament.id)).where(
        Tournament.id == Match.tournament_id, col(Match.rating_order) < Tournament.cursor
    )
    is_ladder = col(Match.purpose) == Purpose.LADDER.value
    return or_(
        col(Match.purpose).not_in([purpose.value for purpose in RATED]),
        (col(Match.purpose) == Purpose.TOURNAMENT.value) & col(Match.tournament_id).in_(over_tournaments),
        and_(is_ladder, col(Match.ladder_day_id).in_(revealed_days), rated.exists()),
    )


def _drop_decisions(session: Session, ids: Sequence[int]) -> None:
    """Delete the decisions and faults in each replay; the game's outcome stays."""
    games = session.exec(select(PlayedGame.id, PlayedGame.replay).where(col(PlayedGame.match_id).in_(ids))).all()
    empty: dict[str, list[object]] = {"decisions": [], "faults": []}
    rows = [
        {"b_id": game, "stub": json.dumps(json.loads(replay) | empty, separators=(",", ":"))} for game, replay in games
    ]
    statement = update(PlayedGame).where(col(PlayedGame.id) == bindparam("b_id")).values(replay=bindparam("stub"))
    if rows:
        session.connection().execute(statement, rows)


def _unsynchronized(statement: Any) -> Any:
    return statement.execution_options(synchronize_session=False)

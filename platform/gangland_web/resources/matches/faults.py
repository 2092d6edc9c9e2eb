"""The latest faults of a bot in rated matches, each with the address of the very decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Integer, bindparam, literal_column, select
from sqlmodel import Session, col

from gangland.replay import ReplayError, Step, expand, load
from gangland_ladder.common.where import address
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame
from gangland_web.models.tournaments import Entry


class FaultRow(NamedTuple):
    """A fault of a bot in a rated match.

    Attributes:
        at: when the match was over.
        address: of the decision in the game's page, such as r7.s2.d1; None for a fault before or after the game, and
            where the replay is not kept any more.
    """

    match_id: int
    at: float | None
    block: int
    rotation: int
    version: int
    fault: dict[str, Any]
    address: str | None


def recent_faults(db: Session, versions: Mapping[int, int], *, matches: int = 5) -> list[FaultRow]:
    """Return the first fault in each of the latest matches in which a bot had one.

    Args:
        versions: the number of the version behind each of the bot's entries.
    """
    given = {"entries": list(versions), "limit": matches}
    rows = db.connection().execute(_FAULTY, given).all()
    sat = {row.match_id: row for row in rows if row.state == MatchState.DONE}
    found: dict[int, FaultRow] = {}
    games = db.connection().execute(_GAMES, {"matches": list(sat)}).all() if sat else ()
    for match, block, rotation, seating, faults, replay in games:
        for fault in faults:
            if match not in found and seating[fault["seat"]] == sat[match].position:
                version = versions[sat[match].entry_id]
                where = decision_address(replay, fault["decision"])
                found[match] = FaultRow(match, sat[match].done_at, block, rotation, version, fault, where)
    return [found[match] for match in sat if match in found]


def trial_fault(db: Session, version_id: int, number: int) -> FaultRow | None:
    """Return the fault of a version in its latest trial that had one, None without.

    Args:
        number: of the version.
    """
    found = db.connection().execute(_TRIALS, {"version": version_id}).scalars()
    return next(iter(recent_faults(db, dict.fromkeys(found, number), matches=1)), None)


def decision_address(replay: str, decision: int | None) -> str | None:
    """Return where a game's page shows a decision of its replay.

    None for no decision, and where the replay cannot be played again: it is not kept any more, or its rules are not
    known any more.
    """
    if decision is None:
        return None
    try:
        return _address_of(decision, expand(load(replay)))
    except ReplayError:
        return None


def _address_of(decision: int, steps: Iterable[Step]) -> str | None:
    counted: Counter[tuple[int, int]] = Counter()
    for step in steps:
        for answer in step.answers:
            if answer.number is not None:
                counted[step.round, answer.seat] += 1
                if answer.number == decision:
                    return address(step.round, answer.seat, counted[step.round, answer.seat])
    return None


_TRIALS: Any = (
    select(col(MatchSeat.entry_id))
    .join(Match, col(Match.id) == MatchSeat.match_id)
    .join(Entry, col(Entry.id) == MatchSeat.entry_id)
    .where(col(Match.trial_version_id) == bindparam("version", type_=Integer))
    .where(col(Entry.version_id) == bindparam("version", type_=Integer))
    .distinct()
)
_entries: Any = bindparam("entries", expanding=True)
_FAULTY: Any = (
    select(
        *(col(column) for column in (MatchSeat.match_id, MatchSeat.position, MatchSeat.entry_id)),
        *(col(column) for column in (Match.state, Match.done_at)),
    )
    .join(Match, col(Match.id) == MatchSeat.match_id)
    .where(col(MatchSeat.entry_id).in_(_entries), col(MatchSeat.faults) > literal_column("0"))
    .order_by(col(MatchSeat.match_id).desc())
    .limit(bindparam("limit", type_=Integer, literal_execute=True))
)
"""A literal 0, for the index of faulty seats is of those above 0."""
_GAMES: Any = (
    select(
        *(col(column) for column in (PlayedGame.match_id, PlayedGame.block, PlayedGame.rotation)),
        *(col(column) for column in (PlayedGame.seating, PlayedGame.faults, PlayedGame.replay)),
    )
    .where(col(PlayedGame.match_id).in_(bindparam("matches", expanding=True)))
    .order_by(col(PlayedGame.match_id), col(PlayedGame.block), col(PlayedGame.rotation))
)

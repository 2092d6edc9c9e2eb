"""The ladders' queues in the database: what of them is sent next, and what each match took."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import case
from sqlmodel import Session, col, select, update

from gangland_web.base.clock import now_s
from gangland_web.league.matches.turns import LEAST_CPU_S, RECENT, Lane, raise_idle, take_turns
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchState, Purpose
from gangland_web.models.tournaments import LadderRound, LadderTurns, Tournament


def next_of_ladders(session: Session, *, free: int, slots: int) -> list[Match]:
    """Return the ladders' matches to send now; whoever else sends any waits for this transaction.

    Args:
        free: so many at most.
        slots: so many matches are played at a time.
    """
    if free <= 0:
        return []
    turns = _held(session)
    lanes = _lanes(session, turns, free)
    for lane in raise_idle(lanes):
        turns[lane.ladder].spent_s = lane.spent_s
    ids = take_turns(lanes, free=free, slots=slots)
    found = {match.id: match for match in session.exec(select(Match).where(col(Match.id).in_(ids))).all()}
    return [found[match_id] for match_id in ids]


def draw_order(session: Session, match: Match) -> int | None:
    """Return the place in the rating order for a match that is about to be sent; None for one that is not rated."""
    if match.rating_order is not None or match.purpose != Purpose.LADDER.value:
        return match.rating_order
    return session.get_one(LadderTurns, match.tournament_id).sent + 1


def note_order(session: Session, match: Match, order: int | None) -> None:
    """Note the place that a match was given, now that it is sent."""
    if order is not None and match.purpose == Purpose.LADDER.value:
        turns = session.get_one(LadderTurns, match.tournament_id)
        turns.sent = max(turns.sent, order)


def charge(session: Session, match: Match, cpu_s: float, *, whole: bool = True) -> None:
    """Put what a ladder's match took on the ladder's account.

    Args:
        cpu_s: as a worker said, or as long as it was played where it said nothing; bounded by the caller.
        whole: whether it came to its end, so that it tells what a match takes.
    """
    if match.purpose != Purpose.LADDER.value:
        return
    took_s = max(cpu_s, LEAST_CPU_S)
    values: dict[str, Any] = {"spent_s": col(LadderTurns.spent_s) + took_s}
    if whole:
        of_late = col(LadderTurns.match_cpu_s)
        values["match_cpu_s"] = case((of_late.is_(None), took_s), else_=of_late * (1 - RECENT) + took_s * RECENT)
    there = update(LadderTurns).where(col(LadderTurns.tournament_id) == match.tournament_id)
    session.exec(there.values(**values).execution_options(synchronize_session=False))


def waiting_ids(session: Session, ladder_id: int, limit: int) -> Iterable[int]:
    """Yield the ids of a ladder's matches that wait, in the order in which they are sent, so many at most."""
    lane = _filled(session, Lane(ladder_id, 0), limit)
    return (*lane.again, *lane.newcomers, *lane.others)


def _held(session: Session) -> dict[int, LadderTurns]:
    """Return every ladder's turns, held against all others who would send; made for ladders that have none yet."""
    for ladder in session.exec(_WITHOUT_TURNS).all():
        session.add(LadderTurns(tournament_id=stored(ladder)))
    session.flush()
    # Read afresh under the lock: by accounts from before it, two who send would give the same turns and the same order.
    return {turns.tournament_id: turns for turns in session.exec(_TURNS).all()}


_WITHOUT_TURNS: Final = (
    select(col(Tournament.id))
    .join(LadderTurns, col(LadderTurns.tournament_id) == Tournament.id, isouter=True)
    .where(Tournament.kind == "ladder", col(LadderTurns.tournament_id).is_(None))
    .order_by(col(Tournament.id))
)
_TURNS: Final = (
    select(LadderTurns)
    .order_by(col(LadderTurns.tournament_id))
    .with_for_update()
    .execution_options(populate_existing=True)
)


def _lanes(session: Session, turns: dict[int, LadderTurns], limit: int) -> list[Lane]:
    """Return all ladders, each with what is out and the first of what waits."""
    lanes = {}
    for ladder, seats, waits in session.exec(_LADDERS).all():
        account = turns[stored(ladder)]
        lane = Lane(stored(ladder), seats, account.spent_s, account.match_cpu_s)
        lanes[lane.ladder] = _filled(session, lane, limit) if waits else lane
    now = now_s()
    for ladder, begun_at in session.exec(_OUT).all():
        lanes[ladder].out_s.append(0.0 if begun_at is None else max(0.0, now - begun_at))
    return list(lanes.values())


_LADDERS: Final = (
    select(
        col(Tournament.id),
        col(Tournament.seats),
        select(Match.id)
        .where(Match.tournament_id == Tournament.id, Match.state == MatchState.SCHEDULED.value)
        .exists(),
    )
    .where(Tournament.kind == "ladder")
    .order_by(col(Tournament.id))
)
_OUT: Final = select(col(Match.tournament_id), col(Match.begun_at)).where(
    Match.state == MatchState.LEASED.value, Match.purpose == Purpose.LADDER.value
)


def _filled(session: Session, lane: Lane, limit: int) -> Lane:
    """Put the first of what waits of a ladder into its lane."""
    here = select(col(Match.id)).where(Match.tournament_id == lane.ladder, Match.state == MatchState.SCHEDULED.value)
    sent, fresh = col(Match.rating_order).is_not(None), col(Match.rating_order).is_(None)
    lane.again = _ids(session, here.where(sent).order_by(col(Match.rating_order)), limit)
    newcomers = (
        select(col(Match.id))
        .join(LadderRound, col(LadderRound.tournament_id) == Match.tournament_id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
        .where(Match.tournament_id == lane.ladder, Match.state == MatchState.SCHEDULED.value, fresh)
        .where(col(LadderRound.placement).is_(True), col(LadderRound.number) > col(Tournament.rounds_taken))
        .where(col(Match.number).between(col(LadderRound.first), col(LadderRound.last)))
        .order_by(col(Match.number) - col(LadderRound.first), col(LadderRound.number))
    )
    lane.newcomers = _ids(session, newcomers, limit)
    others = _ids(session, here.where(fresh).order_by(col(Match.id)), limit + len(lane.newcomers))
    known = set(lane.newcomers)
    lane.others = deque([match_id for match_id in others if match_id not in known][:limit])
    return lane


def _ids(session: Session, chosen: Any, limit: int) -> deque[int]:
    return deque(session.exec(chosen.limit(limit)).all())

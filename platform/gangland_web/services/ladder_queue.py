"""Choose the ladder whose match is sent next, so that all ladders with waiting matches get the same CPU time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import case
from sqlmodel import Session, col, select, update

from gangland_ladder.pairing.demand import PLACEMENT
from gangland_web.base.formats import now_s
from gangland_web.models.columns import row_id
from gangland_web.models.jobs import Job, JobState
from gangland_web.models.matches import Match, MatchState, Purpose
from gangland_web.models.tournaments import LadderRound, LadderTurns, Tournament

# The queue in the database.

NEW_WEIGHT = 0.25  # the weight of the latest match in the average CPU time
MIN_CPU_S = 0.001


def next_matches(session: Session, *, free: int, slots: int) -> list[Match]:
    """Return at most `free` ladder matches to send now; other processes wait here until the transaction ends."""
    if free <= 0:
        return []
    for ladder in session.exec(_WITHOUT_TURNS).all():
        session.add(LadderTurns(tournament_id=row_id(ladder)))
    session.flush()
    # Reload under the lock. With outdated accounts, two senders would choose the same ladders and positions.
    turns = {turns.tournament_id: turns for turns in session.exec(_TURNS).all()}
    lanes = _lanes(session, turns, free)
    for lane in raise_idle_accounts(lanes):
        turns[lane.ladder].spent_s = lane.spent_s
    ids = choose_matches(lanes, free=free, slots=slots)
    matches = {match.id: match for match in session.exec(select(Match).where(col(Match.id).in_(ids))).all()}
    return [matches[match_id] for match_id in ids]


def next_order(session: Session, match: Match) -> int | None:
    """Return the position in the rating order for a match that is about to be sent, or None if it is not rated."""
    if match.rating_order is not None or match.purpose != Purpose.LADDER.value:
        return match.rating_order
    return session.get_one(LadderTurns, match.tournament_id).sent + 1


def record_order(session: Session, match: Match, order: int | None) -> None:
    """Record a ladder match's position in the rating order as the last assigned one, once the match was sent."""
    if order is not None and match.purpose == Purpose.LADDER.value:
        turns = session.get_one(LadderTurns, match.tournament_id)
        turns.sent = max(turns.sent, order)


def charge(session: Session, match: Match, cpu_s: float, *, is_complete: bool = True) -> None:
    """Add a match's CPU time to its ladder's account; only a complete match updates its average."""
    if match.purpose != Purpose.LADDER.value:
        return
    used_s = max(cpu_s, MIN_CPU_S)
    values: dict[str, Any] = {"spent_s": col(LadderTurns.spent_s) + used_s}
    if is_complete:
        mean = col(LadderTurns.match_cpu_s)
        values["match_cpu_s"] = case((mean.is_(None), used_s), else_=mean * (1 - NEW_WEIGHT) + used_s * NEW_WEIGHT)
    statement = update(LadderTurns).where(col(LadderTurns.tournament_id) == match.tournament_id)
    session.exec(statement.values(**values).execution_options(synchronize_session=False))


def waiting_ids(session: Session, ladder_id: int, limit: int) -> Iterable[int]:
    """Return the ids of a ladder's waiting matches in sending order, at most `limit` from each list."""
    lane = _fill_lane(session, Lane(ladder_id, 0), limit)
    return (*lane.resent, *lane.newcomers, *lane.others)


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
    lanes = {}
    for ladder, seats, is_waiting in session.exec(_LADDERS).all():
        account = turns[row_id(ladder)]
        lane = Lane(row_id(ladder), seats, account.spent_s, account.match_cpu_s)
        lanes[lane.ladder] = _fill_lane(session, lane, limit) if is_waiting else lane
    now = now_s()
    for ladder, begun_at in session.exec(_RUNNING).all():
        lanes[ladder].running_s.append(0.0 if begun_at is None else max(0.0, now - begun_at))
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
_RUNNING: Final = (
    select(col(Match.tournament_id), col(Job.begun_at))
    .join(Job, (col(Job.subject) == Match.id) & (col(Job.kind) == Purpose.LADDER.value))
    .where(Job.state == JobState.LEASED.value)
)


def _fill_lane(session: Session, lane: Lane, limit: int) -> Lane:
    queued = select(col(Match.id)).where(Match.tournament_id == lane.ladder, Match.state == MatchState.SCHEDULED.value)
    sent, unsent = col(Match.rating_order).is_not(None), col(Match.rating_order).is_(None)
    lane.resent = _read_ids(session, queued.where(sent).order_by(col(Match.rating_order)), limit)
    newcomers = (
        select(col(Match.id))
        .join(LadderRound, col(LadderRound.tournament_id) == Match.tournament_id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
        .where(Match.tournament_id == lane.ladder, Match.state == MatchState.SCHEDULED.value, unsent)
        .where(col(LadderRound.placement).is_(True), col(LadderRound.number) > col(Tournament.rounds_taken))
        .where(col(Match.number).between(col(LadderRound.first), col(LadderRound.last)))
        .order_by(col(Match.number) - col(LadderRound.first), col(LadderRound.number))
    )
    lane.newcomers = _read_ids(session, newcomers, limit)
    others = _read_ids(session, queued.where(unsent).order_by(col(Match.id)), limit + len(lane.newcomers))
    newcomer_ids = set(lane.newcomers)
    lane.others = deque([match_id for match_id in others if match_id not in newcomer_ids][:limit])
    return lane


def _read_ids(session: Session, query: Any, limit: int) -> deque[int]:
    return deque(session.exec(query.limit(limit)).all())


# Turns: tables of new bots first, then the ladder that has used the least CPU time.
#
# A ladder's account is the CPU time of its matches. A match in progress counts with the recent average, or with its
# playing time so far if that is more. If accounts are equal, the ladder with the fewest seats comes first. A ladder
# without waiting matches cannot save time: its account rises to the lowest account of the ladders with waiting matches.
# So while two ladders have waiting matches, both get the same CPU time.

# The estimate for a ladder's first match, multiplied by the square of the seats, which is the number of bots started.
DEFAULT_CPU_S = 0.1
# A ladder's newcomers go before all other ladders until their ladder is this many matches ahead.
NEWCOMERS_AHEAD = PLACEMENT


@dataclass(slots=True)
class Lane:
    """A ladder in the queue, with the ids of its waiting matches in sending order."""

    ladder: int
    seats: int
    spent_s: float = 0.0  # the ladder's account in CPU seconds, without matches in progress
    match_cpu_s: float | None = None  # the recent average of a match; None before the first match was played
    running_s: list[float] = field(default_factory=list)  # for each match in progress, the seconds played so far
    resent: deque[int] = field(default_factory=deque)  # matches that were sent before; ratings wait for them
    newcomers: deque[int] = field(default_factory=deque)  # the first tables of new bots
    others: deque[int] = field(default_factory=deque)

    @property
    def is_waiting(self) -> bool:
        """Whether a match of this ladder is waiting to be sent."""
        return bool(self.resent or self.newcomers or self.others)

    @property
    def is_unknown(self) -> bool:
        """Whether the CPU time of a match is unknown, because the ladder's first match is still in progress."""
        return self.match_cpu_s is None and bool(self.running_s)


def choose_matches(lanes: Sequence[Lane], *, free: int, slots: int) -> list[int]:
    """Return the ids of at most `free` matches to send, which count as in progress in their lanes from then on.

    Matches that ratings wait for come first, then tables of new bots, then all others.  New bots go before other
    ladders until their ladder is some matches ahead, so that a stream of uploads does not stop the other ladders.
    """
    ids: list[int] = []
    while len(ids) < free:
        waiting = [(_account_s(lane, lanes), lane.seats, lane.ladder, lane) for lane in lanes if lane.is_waiting]
        if not waiting:
            break
        lowest_s = min(waiting)[0]
        *_, lane = min(waiting, key=lambda row: (*_urgency(row[-1], row[0] - lowest_s, lanes), *row[:-1]))
        if _can_wait(lane, lanes, slots):
            break
        ids.append((lane.resent or lane.newcomers or lane.others).popleft())
        lane.running_s.append(0.0)
    return ids


def _urgency(lane: Lane, ahead_s: float, lanes: Sequence[Lane]) -> tuple[int, int]:
    """Return a sort key for ladders, which is compared before their accounts; the lowest comes first."""
    # A ladder whose matches have an unknown CPU time comes last while one of them is in progress. Among such ladders,
    # the one with the fewest matches in progress comes first.
    if lane.resent:
        return 0, 0
    if lane.is_unknown:
        return 3, len(lane.running_s)
    return (1 if lane.newcomers and ahead_s < NEWCOMERS_AHEAD * _expected_cpu_s(lane, lanes) else 2), 0


def _can_wait(lane: Lane, lanes: Sequence[Lane], slots: int) -> bool:
    """Return whether a match should wait for the end of another ladder's first match, since no worker is idle."""
    if not lane.running_s or lane.resent or lane.is_unknown:
        return False
    return any(other.is_unknown for other in lanes) and sum(len(other.running_s) for other in lanes) >= slots


def _expected_cpu_s(lane: Lane, lanes: Sequence[Lane]) -> float:
    """Return the expected CPU seconds of a ladder's match, from its recent average or from the other ladders'."""
    if lane.match_cpu_s is not None:
        return lane.match_cpu_s
    averages = [other.match_cpu_s / other.seats**2 for other in lanes if other.match_cpu_s is not None]
    return max(averages, default=DEFAULT_CPU_S) * lane.seats**2


def _account_s(lane: Lane, lanes: Sequence[Lane]) -> float:
    """Return the CPU seconds that a ladder has used, including an estimate for its matches in progress."""
    expected_s = _expected_cpu_s(lane, lanes)
    return lane.spent_s + sum(max(expected_s, played_s) for played_s in lane.running_s)


def raise_idle_accounts(lanes: Sequence[Lane]) -> list[Lane]:
    """Raise the accounts of ladders without waiting matches to the lowest of the others; return the changed lanes."""
    waiting = [_account_s(lane, lanes) for lane in lanes if lane.is_waiting]
    raised = []
    for lane in lanes:
        behind_s = min(waiting, default=0.0) - _account_s(lane, lanes)
        if not lane.is_waiting and behind_s > 0:
            lane.spent_s += behind_s
            raised.append(lane)
    return raised

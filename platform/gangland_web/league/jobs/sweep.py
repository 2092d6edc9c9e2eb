"""Sweep: end leases of which nothing is heard any more; nothing that was scheduled is ever forgotten."""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import ColumnElement, and_, false, or_
from sqlmodel import Session, col, func, select

from gangland_web.base.clock import now_s
from gangland_web.league.hosts import playing_hosts
from gangland_web.league.jobs.following import after_void
from gangland_web.league.matches.ending import charge_broken, end_lease
from gangland_web.models.columns import stored
from gangland_web.models.database import Database
from gangland_web.models.locks import hold_versions
from gangland_web.models.matches import SILENCE_S, Match, MatchState, Purpose, WorkerHost


def sweep(database: Database, *, waiting: Mapping[str, int], absent: Collection[str] = ()) -> list[Match]:
    """Take back what has gone silent and return the matches that it was.

    Args:
        waiting: orders on the broker that no worker of a host has taken, by its name; with none there, a lease that
            was sent a while ago and never begun has lost its message.
        absent: hosts of which no worker is there to take an order while others could; nothing waits for them.
    """
    with database.write() as session:
        hold_versions(session)
        hosts = playing_hosts(session)
        left = [match for match in _held_by_others(session, hosts) if take_back(session, match)]
        taken = {stored(host.id): 0 if host.name in absent else waiting.get(host.name, 0) for host in hosts}
        ended = left + [match for match in _silent(session, taken) if _end(session, match)]
        after_void(session, ended)
    return ended


def take_all_back(session: Session) -> int:
    """Take back every match that is under way, whose workers are nobody's any more, and return how many that were.

    No run of theirs counts as an attempt: it was not the match that ended it.
    """
    hold_versions(session)
    held = session.exec(select(Match).where(Match.state == MatchState.LEASED.value).order_by(col(Match.id))).all()
    ended = [match for match in held if take_back(session, match)]
    after_void(session, ended)
    return len(ended)


def take_back(session: Session, match: Match) -> bool:
    """Take a match back that was cut off by us, without counting the attempt; False if its lease had ended."""
    if match.begun_at is not None:
        charge_broken(session, match)
        match.attempt -= 1
        match.begun_at = match.beat_at = None
        session.add(match)
        session.flush()
    return end_lease(session, match, "it was stopped and queued again")


def _held_by_others(session: Session, hosts: Sequence[WorkerHost]) -> list[Match]:
    """What is leased to hosts that may not play any more: they were revoked or stopped."""
    others = or_(col(Match.host_id).is_(None), col(Match.host_id).not_in([host.id for host in hosts]))
    chosen = select(Match).where(Match.state == MatchState.LEASED.value, others)
    return list(session.exec(chosen.order_by(col(Match.id))).all())


def _silent(session: Session, waiting: Mapping[int, int]) -> list[Match]:
    now = now_s()
    gone = [col(Match.lease_until) < now, _long_ago(Match.beat_at, now)]
    waits = col(Match.begun_at).is_(None)
    for host_id, orders in waiting.items():
        theirs = waits & (col(Match.host_id) == host_id)
        if orders == 0:
            gone.append(theirs & _long_ago(Match.leased_at, now))
        else:
            gone.append(theirs & (col(Match.leased_at) > now + SILENCE_S))
            gone += [theirs & _overtaken(session, host_id, purpose, now) for purpose in Purpose]
    chosen = select(Match).where(Match.state == MatchState.LEASED.value, or_(*gone))
    return list(session.exec(chosen.order_by(col(Match.id))).all())


def _long_ago(moment: float | None, now: float) -> ColumnElement[bool]:
    """Whether a moment lies too far back, or ahead: then the clock was set back, and nobody knows when it was."""
    return or_(col(moment) < now - SILENCE_S, col(moment) > now + SILENCE_S)


def _overtaken(session: Session, host_id: int, purpose: Purpose, now: float) -> ColumnElement[bool]:
    """Whether an order was sent before one that was taken a while ago: a queue gives them out in their order."""
    waiting = select(func.min(Match.leased_at)).where(
        Match.state == MatchState.LEASED.value, Match.purpose == purpose.value, col(Match.begun_at).is_(None)
    )
    waiting = waiting.where(Match.host_id == host_id)
    oldest = session.exec(waiting).one()
    if oldest is None:
        return false()
    taken = _last_taken(session, host_id, purpose, oldest, now)
    return and_(col(Match.purpose) == purpose.value, col(Match.leased_at) < taken)


def _last_taken(session: Session, host_id: int, purpose: Purpose, oldest: float, now: float) -> float:
    """When the latest order was sent of those that were surely taken a while ago, `oldest` if there is none."""
    latest = [oldest]
    for state, taken_at in ((MatchState.LEASED, Match.begun_at), (MatchState.DONE, Match.done_at)):
        sent = select(func.max(Match.leased_at)).where(Match.state == state.value, Match.purpose == purpose.value)
        sent = sent.where(Match.host_id == host_id)
        # Whatever was taken before it was sent tells of a clock that was set back, and of nothing else.
        taken = and_(col(taken_at) < now - SILENCE_S, col(taken_at) >= col(Match.leased_at))
        latest.append(session.exec(sent.where(col(Match.leased_at) > oldest, taken)).one() or oldest)
    return max(latest)


def _end(session: Session, match: Match) -> bool:
    if match.begun_at is None:
        return end_lease(session, match, "the worker did not start it")
    return end_lease(session, match, f"the worker fell silent for {SILENCE_S:.0f} s")

"""Sweep: end leases of which nothing is heard any more; nothing that was scheduled is ever forgotten."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, false, or_
from sqlmodel import Session, col, func, select

from gangland_web.bots.steps import hold_versions
from gangland_web.bots.trials import match_ended_void
from gangland_web.clock import now_s
from gangland_web.db import Database
from gangland_web.matches.ending import end_lease
from gangland_web.matches.lifecycle import SILENCE_S, MatchState, Purpose
from gangland_web.matches.models import Match
from gangland_web.ratings.fold import fold
from gangland_web.tournaments.models import Tournament


def sweep(database: Database, *, waiting_orders: int) -> list[Match]:
    """Take back what has gone silent and return the matches that it was.

    Args:
        waiting_orders: orders on the broker that no worker has taken; with none there, a lease
            that was sent a while ago and never begun has lost its message.
    """
    with database.write() as session:
        hold_versions(session)
        ended = [match for match in _silent(session, waiting_orders) if _end(session, match)]
        see_to_void(session, ended)
    return ended


def take_all_back(session: Session) -> int:
    """Take back every match that is under way, whose workers are nobody's any more, and return how many that were.

    No run of theirs counts as an attempt: it was not the match that ended it.
    """
    hold_versions(session)
    held = session.exec(select(Match).where(Match.state == MatchState.LEASED.value).order_by(col(Match.id))).all()
    ended = [match for match in held if take_back(session, match)]
    see_to_void(session, ended)
    return len(ended)


def take_back(session: Session, match: Match) -> bool:
    """Take a match back that was cut off by us, without counting the attempt; False if its lease had ended."""
    if match.begun_at is not None:
        match.attempt -= 1
        match.begun_at = match.beat_at = None
        session.add(match)
        session.flush()
    return end_lease(session, match, "it was taken back")


def see_to_void(session: Session, ended: Sequence[Match]) -> None:
    """Let those matches which ended void among some have their consequences."""
    for match in ended:
        if match.state == MatchState.VOID.value:
            match_ended_void(session, match)
            fold(session, session.get_one(Tournament, match.tournament_id))


def _silent(session: Session, waiting_orders: int) -> list[Match]:
    now = now_s()
    gone = [col(Match.lease_until) < now, _long_ago(Match.beat_at, now)]
    waits = col(Match.begun_at).is_(None)
    if waiting_orders == 0:
        gone.append(waits & _long_ago(Match.leased_at, now))
    else:
        gone.append(waits & (col(Match.leased_at) > now + SILENCE_S))
        gone += [waits & _overtaken(session, purpose, now) for purpose in Purpose]
    chosen = select(Match).where(Match.state == MatchState.LEASED.value, or_(*gone))
    return list(session.exec(chosen.order_by(col(Match.id))).all())


def _long_ago(moment: float | None, now: float) -> ColumnElement[bool]:
    """Whether a moment lies too far back, or ahead: then the clock was set back, and nobody knows when it was."""
    return or_(col(moment) < now - SILENCE_S, col(moment) > now + SILENCE_S)


def _overtaken(session: Session, purpose: Purpose, now: float) -> ColumnElement[bool]:
    """Whether an order was sent before one that was taken a while ago: a queue gives them out in their order."""
    waiting = select(func.min(Match.leased_at)).where(
        Match.state == MatchState.LEASED.value, Match.purpose == purpose.value, col(Match.begun_at).is_(None)
    )
    oldest = session.exec(waiting).one()
    if oldest is None:
        return false()
    return and_(col(Match.purpose) == purpose.value, col(Match.leased_at) < _last_taken(session, purpose, oldest, now))


def _last_taken(session: Session, purpose: Purpose, oldest: float, now: float) -> float:
    """When the latest order was sent of those that were surely taken a while ago, `oldest` if there is none."""
    latest = [oldest]
    for state, taken_at in ((MatchState.LEASED, Match.begun_at), (MatchState.DONE, Match.done_at)):
        sent = select(func.max(Match.leased_at)).where(Match.state == state.value, Match.purpose == purpose.value)
        # Whatever was taken before it was sent tells of a clock that was set back, and of nothing else.
        taken = and_(col(taken_at) < now - SILENCE_S, col(taken_at) >= col(Match.leased_at))
        latest.append(session.exec(sent.where(col(Match.leased_at) > oldest, taken)).one() or oldest)
    return max(latest)


def _end(session: Session, match: Match) -> bool:
    if match.begun_at is None:
        return end_lease(session, match, "the worker never began it")
    return end_lease(session, match, f"the worker fell silent for {SILENCE_S:.0f} s")

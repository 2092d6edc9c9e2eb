"""Sweep: end leases of which nothing is heard any more; nothing that was scheduled is ever forgotten."""

from sqlmodel import Session, col, or_, select

from gangland_web.bots.trials import trial_ended_void
from gangland_web.clock import now_s
from gangland_web.db import Database
from gangland_web.matches.ending import end_lease
from gangland_web.matches.lifecycle import SILENCE_S, MatchState
from gangland_web.matches.models import Match
from gangland_web.ratings.fold import fold
from gangland_web.tournaments.models import Tournament


def sweep(database: Database, *, waiting_orders: int) -> int:
    """Take back what has gone silent and return how many matches that were.

    Args:
        waiting_orders: orders on the broker that no worker has taken; with none there, a lease
            that was sent a while ago and never begun has lost its message.
    """
    with database.write() as session:
        ended = [match for match in _silent(session, waiting_orders) if _end(session, match)]
        for match in ended:
            if match.state == MatchState.VOID.value:
                trial_ended_void(session, match)
                fold(session, session.get_one(Tournament, match.tournament_id))
    return len(ended)


def _silent(session: Session, waiting_orders: int) -> list[Match]:
    now = now_s()
    gone = [col(Match.lease_until) < now, col(Match.beat_at) < now - SILENCE_S]
    if waiting_orders == 0:
        gone.append(col(Match.begun_at).is_(None) & (col(Match.leased_at) < now - SILENCE_S))
    chosen = select(Match).where(Match.state == MatchState.LEASED.value, or_(*gone))
    return list(session.exec(chosen.order_by(col(Match.id))).all())


def _end(session: Session, match: Match) -> bool:
    if match.begun_at is None:
        return end_lease(session, match, "the worker never began it")
    return end_lease(session, match, f"the worker fell silent for {SILENCE_S:.0f} s")

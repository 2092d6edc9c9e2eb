"""How a lease ends without a result: the match goes back to be played again, or is void for good."""

from typing import Any

from sqlmodel import Session, col, update

from gangland_web.clock import now_s
from gangland_web.matches.lifecycle import ATTEMPTS, MatchState
from gangland_web.matches.models import Match

NO_LEASE: dict[str, Any] = {
    "lease_token": None,
    "leased_at": None,
    "lease_until": None,
    "begun_at": None,
    "beat_at": None,
}
"""What a row holds of a lease once it has none."""


def end_lease(session: Session, match: Match, why: str) -> bool:
    """Take a leased match back; after the third begun attempt it is void.  False if the lease had ended."""
    if match.attempt >= ATTEMPTS:
        return make_void(session, match, f"begun {match.attempt} times without a result; the last time: {why}")
    return _move(session, match, {"state": MatchState.SCHEDULED.value})


def make_void(session: Session, match: Match, reason: str) -> bool:
    """End a match for good without a result and without blame.  False if its lease had ended."""
    return _move(session, match, {"state": MatchState.VOID.value, "void_reason": reason, "done_at": now_s()})


def _move(session: Session, match: Match, values: dict[str, Any]) -> bool:
    moved = session.exec(
        update(Match)
        .where(
            col(Match.id) == match.id,
            col(Match.state) == MatchState.LEASED.value,
            col(Match.lease_token) == match.lease_token,
        )
        .values(**NO_LEASE, **values)
        .execution_options(synchronize_session=False)
    )
    session.refresh(match)
    return moved.rowcount == 1

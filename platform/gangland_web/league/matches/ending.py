"""How a lease ends without a result: the match goes back to be played again, or is void for good."""

from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select, update

from gangland_web.base.clock import now_s
from gangland_web.league.held import publicly_held
from gangland_web.league.matches.ladder_queue import charge
from gangland_web.models.bots import Version, VersionState
from gangland_web.models.matches import ATTEMPTS, End, Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import Entry

WITHDRAWN = "the version was withdrawn"
IN_QUARANTINE = "a bot in it is in quarantine"
NOT_PASSED = "not played: the bot on trial did not pass its check"
CLOSED = (VersionState.REJECTED.value, VersionState.RETIRED.value)

NO_LEASE: dict[str, Any] = {
    "lease_token": None,
    "leased_at": None,
    "lease_until": None,
    "begun_at": None,
    "beat_at": None,
}
"""What a row holds of a lease once it has none."""

RESULT_CAME: dict[str, Any] = {key: value for key, value in NO_LEASE.items() if key != "leased_at"}
"""What a row holds of a lease that ended with a result: when it was sent, and so, when it was taken."""


_ENDS = {WITHDRAWN: End.WITHDRAWN, IN_QUARANTINE: End.QUARANTINE, NOT_PASSED: End.NOT_PASSED}


def end_of(match: Match) -> End | None:
    """Return how a match came to an end; None for one that is still to be played."""
    if match.state == MatchState.DONE.value:
        return End.DONE
    if match.state != MatchState.VOID.value:
        return None
    return _ENDS.get(match.void_reason or "", End.PLATFORM)


def end_lease(session: Session, match: Match, why: str) -> bool:
    """Take a leased match back; False if the lease had ended.

    It is void after its third begun attempt, and at once if a version in it was withdrawn or put into
    quarantine meanwhile: nobody needs it any more.  A tournament keeps its pinned versions, and waits for
    one in quarantine.  What a ladder's match took until then counts for its ladder's turns.  The caller holds the
    versions (`hold_versions`).
    """
    charge_broken(session, match)
    pinned = match.purpose == Purpose.TOURNAMENT.value
    gone = col(Entry.active).is_(False) if pinned else col(Version.state).in_(CLOSED)
    if _anyone(session, match, gone):
        return make_void(session, match, WITHDRAWN)
    held = col(Entry.quarantined).is_(True)
    if match.purpose == Purpose.CHALLENGE.value:
        held = col(Version.id).in_(publicly_held(session))
    if not pinned and _anyone(session, match, held):
        return make_void(session, match, IN_QUARANTINE)
    if match.attempt >= ATTEMPTS:
        return make_void(session, match, f"begun {match.attempt} times without a result; the last time: {why}")
    return _move(session, match, {"state": MatchState.SCHEDULED.value})


def charge_broken(session: Session, match: Match) -> None:
    """Count the time for which a match was played whose lease ends without a result for its ladder's turns."""
    if match.begun_at is not None and match.lease_until is not None:
        charge(session, match, min(now_s(), match.lease_until) - match.begun_at, whole=False)


def _anyone(session: Session, match: Match, is_so: ColumnElement[bool]) -> bool:
    chosen = select(Version.id).join(Entry, col(Entry.version_id) == Version.id)
    chosen = chosen.join(MatchSeat, col(MatchSeat.entry_id) == Entry.id).where(MatchSeat.match_id == match.id)
    return session.exec(chosen.where(is_so)).first() is not None


def make_void(session: Session, match: Match, reason: str) -> bool:
    """End a match for good without a result and without blame.  False if its lease had ended."""
    return _move(session, match, {"state": MatchState.VOID.value, "void_reason": reason, "done_at": now_s()})


def void_waiting(session: Session, reason: str, *which: ColumnElement[bool]) -> None:
    """Make waiting matches of which these conditions hold void: nobody needs them any more."""
    session.exec(
        update(Match)
        .where(*which, col(Match.state) == MatchState.SCHEDULED.value)
        .values(state=MatchState.VOID.value, void_reason=reason, done_at=now_s())
    )


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

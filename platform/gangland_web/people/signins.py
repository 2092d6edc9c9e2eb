"""Sign-ins: each browser that somebody is signed in with, kept by the server so that each can be ended.

The cookie holds a key of 256 random bits, signed; the table its SHA-256.  A sign-in ends when its owner, an admin or
a new password ends it, after two weeks of silence, and after ninety days in any case.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, cast

from sqlalchemy.orm import defer
from sqlmodel import Session, col, delete, select, update

from gangland_web.base.clock import DAY_S, now_s
from gangland_web.models.accounts import Membership, SignIn, User, is_in
from gangland_web.models.columns import stored
from gangland_web.models.database import Database

SILENT_S: Final = 14 * DAY_S
LASTS_S: Final = 90 * DAY_S
FRESH_S: Final = 15 * 60.0
"""So long after a password was typed an act that asks for a fresh sign-in is allowed."""
SEEN_EVERY_S: Final = 3600.0
"""How often it is written down that a sign-in is in use: reading a page is to write nothing."""
AGENT_CHARS: Final = 160
PASSWORDS: Final = frozenset({"old", "password", "own_password", "proof", "leave_proof"})
"""Fields of passwords, which are never kept."""
MOST: Final = 20
"""Sign-ins of one person; the one that was silent longest makes room for the next."""


@dataclass(frozen=True, slots=True)
class Found:
    """A sign-in that is good, with its owner."""

    sign_in: SignIn
    user: User
    team_id: int | None
    """The team that they are in."""

    @property
    def is_fresh(self) -> bool:
        """Whether a password was typed in it a short while ago."""
        return now_s() - self.sign_in.proven_at <= FRESH_S


@dataclass(frozen=True, slots=True)
class Held:
    """What was sent to an address, and is sent again once its sender has shown who they are."""

    act: str
    sent: Sequence[tuple[str, str]]


def begin(database: Database, user_id: int, address: str, agent: str) -> str:
    """Sign somebody in and return the key for the cookie, the only time that it can be seen."""
    key, now = secrets.token_urlsafe(32), now_s()
    with database.write() as db:
        others = sorted(of_user(db, user_id), key=lambda kept: (kept.last_seen_at, stored(kept.id)))
        for silent in others[: max(0, len(others) - MOST + 1)]:
            db.delete(silent)
        db.exec(
            delete(SignIn).where((col(SignIn.last_seen_at) < now - SILENT_S) | (col(SignIn.begun_at) < now - LASTS_S))
        )
        db.add(
            SignIn(
                user_id=user_id,
                key_hash=_hashed(key),
                begun_at=now,
                last_seen_at=now,
                proven_at=now,
                address=address[:64],
                agent=agent[:AGENT_CHARS],
            )
        )
    return key


def find(db: Session, key: str) -> Found | None:
    """Return the sign-in of a key and whose it is; None if it has ended or never was."""
    now = now_s()
    chosen = (
        select(SignIn, User, Membership.team_id)
        .join(User, col(User.id) == SignIn.user_id)
        .outerjoin(Membership, is_in(User.id))
        .where(SignIn.key_hash == _hashed(key))
    )
    chosen = chosen.where(col(SignIn.last_seen_at) >= now - SILENT_S, col(SignIn.begun_at) >= now - LASTS_S)
    found = db.exec(chosen.options(defer(cast(Any, SignIn.held)))).first()
    good = found is not None and found[1].deleted_at is None and found[1].suspended_for is None
    return Found(*found) if found is not None and good else None


def is_signed_in_at(database: Database, name_key: str, address: str) -> bool:
    """Return whether somebody of that name was signed in from an address, in a sign-in that is kept."""
    with database.read() as db:
        chosen = select(SignIn.id).join(User, col(User.id) == SignIn.user_id)
        return (
            db.exec(chosen.where(User.name_key == name_key, SignIn.address == address[:64]).limit(1)).first()
            is not None
        )


def see(database: Database, sign_in: SignIn) -> None:
    """Write down that a sign-in is in use, unless that was done a short while ago."""
    now = now_s()
    if now - sign_in.last_seen_at < SEEN_EVERY_S:
        return
    database.note(update(SignIn).where(col(SignIn.id) == sign_in.id).values(last_seen_at=now))


def prove(database: Database, sign_in_id: int) -> None:
    """Write down that the password was typed again just now."""
    with database.write() as db:
        db.exec(update(SignIn).where(col(SignIn.id) == sign_in_id).values(proven_at=now_s()))


def hold(database: Database, sign_in_id: int, act: str, sent: Sequence[tuple[str, str]]) -> str:
    """Keep what was sent to an address while its sender shows elsewhere who they are; return its mark.

    The latest of a sign-in is kept, without passwords.
    """
    mark = secrets.token_urlsafe(9)
    held = {"mark": mark, "act": act, "sent": [pair for pair in sent if pair[0] not in PASSWORDS]}
    with database.write() as db:
        db.exec(update(SignIn).where(col(SignIn.id) == sign_in_id).values(held=held))
    return mark


def take_held(database: Database, sign_in_id: int, mark: str) -> Held | None:
    """Return what is kept with a mark, and keep it no longer; None if it is not kept."""
    with database.write() as db:
        held = db.exec(select(SignIn.held).where(SignIn.id == sign_in_id)).first()
        if held is None or not secrets.compare_digest(held["mark"].encode(), mark.encode()):
            return None
        db.exec(update(SignIn).where(col(SignIn.id) == sign_in_id).values(held=None))
    return Held(held["act"], [(name, value) for name, value in held["sent"]])


def of_user(db: Session, user_id: int) -> Sequence[SignIn]:
    """Return a person's sign-ins, the one that was in use last first."""
    chosen = select(SignIn).where(SignIn.user_id == user_id)
    chosen = chosen.order_by(col(SignIn.last_seen_at).desc(), col(SignIn.id).desc())
    return db.exec(chosen.options(defer(cast(Any, SignIn.held)))).all()


def end(database: Database, user_id: int, sign_in_id: int) -> bool:
    """End one of a person's own sign-ins; False if they have none of that number."""
    with database.write() as db:
        ended = db.exec(delete(SignIn).where(col(SignIn.id) == sign_in_id, col(SignIn.user_id) == user_id))
    return ended.rowcount == 1


def end_all(db: Session, user_id: int, *, but: int | None = None) -> int:
    """End all sign-ins of a person, save one if it is named; return how many ended."""
    chosen = delete(SignIn).where(col(SignIn.user_id) == user_id)
    if but is not None:
        chosen = chosen.where(col(SignIn.id) != but)
    return db.exec(chosen).rowcount


def _hashed(key: str) -> str:
    return sha256(key.encode()).hexdigest()

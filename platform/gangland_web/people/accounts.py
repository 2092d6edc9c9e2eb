"""What can be done with an account: sign up, check a password, become the admin by the first start's code."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import func, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from gangland_web.base.clock import now_s
from gangland_web.base.text import name_key, problem_with_name
from gangland_web.models.accounts import Role, SetupCode, User
from gangland_web.models.columns import stored
from gangland_web.models.database import Database
from gangland_web.models.log import Actor, note_act
from gangland_web.models.owners import name_is_taken
from gangland_web.people.codes import hash_code
from gangland_web.people.sign_ups import admit

_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""Argon2id as OWASP recommends where many may sign in at once: 19 MiB and some 20 ms a password."""
_HASHING = Lock()


@contextmanager
def _hasher() -> Iterator[PasswordHasher]:
    """Lend the hasher to one thread at a time, so that many who sign in at once take the memory of one."""
    with _HASHING:
        yield _HASHER


NO_PASSWORD: Final = "!"  # noqa: S105 (none at all)
"""What is kept of somebody who has set none: no password fits it."""


def hash_password(password: str) -> str:
    """Return what is kept of a password."""
    with _hasher() as hasher:
        return hasher.hash(password)


class NameTaken(ValueError):
    """Somebody else has that name, in some spelling, or one that looks like it."""


TAKEN: Final = "This name is taken, perhaps in another spelling or in letters that look alike."


class WrongCode(ValueError):
    """No such setup code waits to be used."""


@cache
def nobodys_hash() -> str:
    """Return a hash that no password fits, so that an unknown name costs the time of a known one.

    The application asks for it when it is made: the first sign-in must not be slower than the next.
    """
    return hash_password(secrets.token_hex(32))


def sign_up(
    database: Database, name: str, password: str, code: str = "", *, invitation: str = "", address: str = "unknown"
) -> User:
    """Return a new user; with a `code` the user becomes the admin in the same transaction.

    Args:
        address: of the client, for the log.

    Raises:
        NameTaken: the name is in use.
        WrongCode: a code was given that is wrong or used; nobody is signed up.
        SignUpRefused: without a code, the site is closed or the invitation is not good.
    """
    hashed = hash_password(password)
    try:
        with database.write() as db:
            if not code:
                admit(db, invitation)
            if name_is_taken(db, name):
                raise NameTaken(name)
            user = User(name=name, name_key=name_key(name), password_hash=hashed, created_at=now_s())
            db.add(user)
            db.flush()
            if code:
                _use_code(db, code, user, address)
            return user
    except IntegrityError as error:
        raise NameTaken(name) from error


def check_password(database: Database, name: str, password: str) -> User | None:
    """Return the user of that name and password, or None; both take the time of one verification."""
    user = None if problem_with_name(name) else _named(database, name)
    if user is not None and (user.deleted_at is not None or user.password_hash == NO_PASSWORD):
        user = None  # with the hash that nobody's password fits, or who has none would be told by the time
    kept = user.password_hash if user else nobodys_hash()
    try:
        with _hasher() as hasher:
            hasher.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return None
    if user is not None and _HASHER.check_needs_rehash(user.password_hash):
        _rehash(database, user, password)
    return user


def _named(database: Database, name: str) -> User | None:
    with database.read() as db:
        user = db.exec(select(User).where(User.name_key == name_key(name))).one_or_none()
        db.expunge_all()
        return user


def _rehash(database: Database, user: User, password: str) -> None:
    """Keep the password under today's parameters, unless it was changed meanwhile."""
    hashed = hash_password(password)
    with database.write() as db:
        unchanged = (col(User.id) == user.id) & (col(User.password_hash) == user.password_hash)
        db.exec(update(User).where(unchanged).values(password_hash=hashed))


def become_admin(database: Database, user_id: int, code: str, *, address: str) -> None:
    """Make a signed-in user the admin by the setup code.

    Raises:
        WrongCode: no such code waits to be used.
    """
    with database.write() as db:
        _use_code(db, code, db.get_one(User, user_id), address)


def _use_code(db: Session, code: str, user: User, address: str) -> None:
    waiting = (col(SetupCode.code_hash) == hash_code(code)) & col(SetupCode.used_at).is_(None)
    used = db.exec(update(SetupCode).where(waiting).values(used_at=now_s()))
    if used.rowcount != 1:
        raise WrongCode
    was, user.role = user.role, Role.ADMIN.value
    db.add(user)
    actor = Actor(stored(user.id), address)
    note_act(db, actor, "became administrator by code", subject=user.name, was=was, now=user.role)


def code_waits(db: Session) -> bool:
    """True while a setup code waits for the first admin."""
    return db.exec(select(func.count()).select_from(SetupCode).where(col(SetupCode.used_at).is_(None))).one() > 0

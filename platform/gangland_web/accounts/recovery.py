"""Passwords that change: by their owner, or by a one-time code that an organiser or admin hands over.

A house for schools needs no e-mail: an alias is made with such a code, and a forgotten password gets another one.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import update
from sqlmodel import Session, col, select

from gangland_web.accounts.forms import name_problem
from gangland_web.accounts.models import PasswordCode, User
from gangland_web.accounts.roles import Act, Role, may
from gangland_web.accounts.services import check_password, hash_code, hash_password
from gangland_web.accounts.signins import end_all
from gangland_web.clock import now_s
from gangland_web.columns import stored
from gangland_web.db import Database
from gangland_web.organising.audit import Actor, note_act
from gangland_web.web.text import name_key, normal_name

CODE_LASTS_S: Final = 14 * 86_400.0
NO_PASSWORD: Final = "!"  # noqa: S105 (none at all)
"""What is kept of an alias that has set none: no password fits it."""
MOST_ALIASES: Final = 200
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Nothing that is taken for something else on a printed slip."""
_GROUPS, _IN_A_GROUP = 3, 4


class PasswordRefused(ValueError):
    """A password or a code is wrong; the message is for whoever typed it."""


class AliasesRefused(ValueError):
    """Names that cannot be given out; `problems` says of each why."""

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{name!r}: {why}" for name, why in problems))
        self.problems = tuple(problems)


class NotYours(PermissionError):
    """The account is none that the organiser made, and is no admin's business here."""


@dataclass(frozen=True, slots=True)
class Slip:
    """What somebody is handed on paper: a name, and the code that sets its password once."""

    name: str
    code: str


def new_code() -> str:
    """Return a code such as `k7mp-2xqa-9vbd`: some 59 random bits, easy to type from paper."""
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_IN_A_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)


def normal_code(typed: str) -> str:
    """Return a code as it was made, whatever the case and the spaces in which it was typed."""
    letters = "".join(char for char in typed.casefold()[:64] if char in _LETTERS)
    return "-".join(letters[start : start + _IN_A_GROUP] for start in range(0, len(letters), _IN_A_GROUP))


def make_aliases(database: Database, actor: Actor, names: Sequence[str]) -> list[Slip]:
    """Make accounts for people without e-mail, all or none, each with a code that sets its password.

    Raises:
        AliasesRefused: too many, or names that are taken, twice in the list, or no names at all.
    """
    called = [normal_name(name) for name in names]
    if not called or len(called) > MOST_ALIASES:
        raise AliasesRefused([("", f"name 1 to {MOST_ALIASES} people, not {len(called)}")])
    with database.write() as db:
        problems = _problems(db, called)
        if problems:
            raise AliasesRefused(problems)
        users = [
            User(name=n, name_key=name_key(n), password_hash=NO_PASSWORD, made_by=actor.id, created_at=now_s())
            for n in called
        ]
        db.add_all(users)
        db.flush()
        slips = [Slip(user.name, _give_code(db, actor, user)) for user in users]
        note_act(db, actor, "made accounts", subject=f"{len(slips)} accounts", names=called)
    return slips


def _problems(db: Session, called: Sequence[str]) -> list[tuple[str, str]]:
    keys = [name_key(name) for name in called]
    taken = set(db.exec(select(User.name_key).where(col(User.name_key).in_(keys))).all())
    found = []
    for index, (name, key) in enumerate(zip(called, keys, strict=True)):
        why = name_problem(name)
        if why is None and key in taken:
            why = "Somebody has this name already, perhaps in another spelling."
        if why is None and key in keys[:index]:
            why = "It is in the list twice."
        if why is not None:
            found.append((name, why))
    return found


def reset_password(database: Database, actor: Actor, role: Role, name: str) -> Slip:
    """Give somebody a new code; the old password is good until the code is used.

    Raises:
        LookupError: nobody has that name.
        NotYours: an organiser helps the aliases that they made, an admin everybody.
    """
    with database.write() as db:
        user = db.exec(select(User).where(User.name_key == name_key(normal_name(name)))).one_or_none()
        if user is None or user.deleted_at is not None:
            raise LookupError(f"nobody is called {name!r}")
        if role is not Role.ADMIN and user.made_by != actor.id:
            raise NotYours(f"{user.name} is no account that you made; an admin can help")
        code = _give_code(db, actor, user)
        note_act(db, actor, "gave a password code", subject=user.name)
        return Slip(user.name, code)


def _give_code(db: Session, actor: Actor, user: User) -> str:
    """Make a code in place of any older one."""
    now = now_s()
    older = update(PasswordCode).where(col(PasswordCode.user_id) == user.id, col(PasswordCode.used_at).is_(None))
    db.exec(older.values(used_at=now))
    code = new_code()
    db.add(
        PasswordCode(
            user_id=stored(user.id),
            code_hash=hash_code(code),
            made_by=stored(actor.id),
            made_at=now,
            expires_at=now + CODE_LASTS_S,
        )
    )
    return code


def use_code(database: Database, name: str, typed: str, password: str) -> User:
    """Set a password by a code, end all sign-ins of the account, and return whose it is.

    Raises:
        PasswordRefused: no such code waits for that name; it is the same answer whatever is wrong.
    """
    hashed, now = hash_password(password), now_s()
    with database.write() as db:
        chosen = (
            select(PasswordCode, User)
            .join(User, col(User.id) == PasswordCode.user_id)
            .where(PasswordCode.code_hash == hash_code(normal_code(typed)), col(PasswordCode.used_at).is_(None))
            .where(User.name_key == name_key(normal_name(name[:256])), col(User.deleted_at).is_(None))
        )
        found = db.exec(chosen.where(col(PasswordCode.expires_at) > now)).first()
        if found is None:
            raise PasswordRefused("This code is not good for this name: it is mistyped, used, or too old.")
        code, user = found
        code.used_at, user.password_hash = now, hashed
        db.add_all((code, user))
        end_all(db, stored(user.id))
        return user


def change_password(database: Database, user: User, old: str, new: str, *, sign_in: int) -> None:
    """Set a new password and end all other sign-ins of the account.

    Raises:
        PasswordRefused: the old one is not right.
    """
    if check_password(database, user.name, old) is None:
        raise PasswordRefused("That is not your password as it is now.")
    hashed = hash_password(new)
    with database.write() as db:
        db.exec(update(User).where(col(User.id) == user.id).values(password_hash=hashed))
        end_all(db, stored(user.id), but=sign_in)


def set_role(database: Database, actor: Actor, admin: User, name: str, role: Role) -> User:
    """Give somebody a role; the house keeps at least one admin.

    Raises:
        NotYours: only admins set roles.
        LookupError: nobody has that name.
        ValueError: the last admin would be none any more.
    """
    if not may(admin, Act.SET_ROLES):
        raise NotYours("only an admin sets roles")
    with database.write() as db:
        admins = db.exec(select(User).where(User.role == Role.ADMIN.value).with_for_update()).all()
        user = db.exec(select(User).where(User.name_key == name_key(normal_name(name)))).one_or_none()
        if user is None or user.deleted_at is not None:
            raise LookupError(f"nobody is called {name!r}")
        if role is not Role.ADMIN and [one.id for one in admins] == [user.id]:
            raise ValueError(f"{user.name} is the only admin; make somebody else one first")
        was, user.role = user.role, role.value
        db.add(user)
        note_act(db, actor, "set a role", subject=user.name, was=was, now=role.value)
        return user

"""Tables of people: users, their sign-ins and e-mail addresses, and the codes that stand in for a password once."""

from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, Index, Text
from sqlmodel import Field

from gangland_web.core.email_addresses import ADDRESS_CHARS
from gangland_web.store.columns import Table, index_where, look_column, one_of, search_column
from gangland_web.store.roles import Role


class User(Table, table=True):
    """A person who signs in.  `name_key` is the lower-cased name, so that names differ in more than case."""

    __tablename__ = "users"
    __table_args__ = (
        CheckConstraint("length(name) BETWEEN 1 AND 64", name="name_length"),
        one_of("role", Role, "role"),
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=64)
    name_key: str = Field(max_length=64, unique=True)
    search_key: str | None = Field(default=None, sa_column=search_column())
    look_key: str | None = Field(default=None, sa_column=look_column())
    password_hash: str = Field(max_length=256)
    role: str = Field(default=Role.AUTHOR.value, max_length=16)
    created_at: float
    """Seconds since the epoch, UTC, as every time in these tables."""
    made_by: int | None = Field(default=None, foreign_key="users.id")
    """The organiser who made the account for somebody, such as a pupil."""
    suspended_for: str | None = Field(default=None, sa_type=Text)
    """Why an administrator lets nobody sign in with it."""
    deleted_at: float | None = Field(default=None)
    """When its owner had it deleted: results stay, the name went."""


class SignIn(Table, table=True):
    """A browser that somebody is signed in with; of its key only the SHA-256 is kept.

    `last_seen_at` is written once an hour at most; `proven_at` is when the password was last typed in it.
    """

    __tablename__ = "sign_ins"
    __table_args__ = (CheckConstraint("length(key_hash) = 64", name="key_hash_length"),)

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", index=True)
    key_hash: str = Field(max_length=64, unique=True)
    begun_at: float
    last_seen_at: float
    proven_at: float
    address: str = Field(max_length=64)
    agent: str = Field(default="", max_length=160)
    held: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    """What was sent before its owner was asked to show at the provider who they are, see `people.signins.hold`."""


class PasswordCode(Table, table=True):
    """A one-time code with which somebody sets a password: for a new alias, or for one that was forgotten."""

    __tablename__ = "password_codes"
    __table_args__ = (
        CheckConstraint("length(code_hash) = 64", name="code_hash_length"),
        Index("ix_password_codes_user_id", "user_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id")
    code_hash: str = Field(max_length=64, unique=True)
    made_by: int = Field(foreign_key="users.id")
    made_at: float
    expires_at: float
    used_at: float | None = Field(default=None)


_CONFIRMED = "confirmed_at IS NOT NULL"
_WAITING = "confirmed_at IS NULL"


class EmailAddress(Table, table=True):
    """An e-mail address of somebody: one at most that is confirmed, and one at most that waits for it.

    `address_key` is the lower-cased address, by which no two people have the same confirmed one.
    """

    __tablename__ = "email_addresses"
    __table_args__ = (
        index_where("uq_email_addresses_confirmed", "address_key", where=_CONFIRMED, unique=True),
        index_where("uq_email_addresses_of", "user_id", where=_CONFIRMED, unique=True),
        index_where("uq_email_addresses_waiting", "user_id", where=_WAITING, unique=True),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id")
    address: str = Field(max_length=ADDRESS_CHARS)
    address_key: str = Field(max_length=ADDRESS_CHARS)
    created_at: float
    confirmed_at: float | None = Field(default=None)


class EmailCode(Table, table=True):
    """A one-time code that went out by mail: it confirms an address, or sets a password.

    Each try to send a mail draws a code of its own, and all of them are good until one is used.
    """

    __tablename__ = "email_codes"
    __table_args__ = (
        CheckConstraint("length(code_hash) = 64", name="code_hash_length"),
        one_of("kind", ("confirm", "recover"), "kind"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", index=True)
    kind: str = Field(max_length=16)
    address_key: str = Field(max_length=ADDRESS_CHARS)
    code_hash: str = Field(max_length=64, unique=True)
    expires_at: float


class SetupCode(Table, table=True):
    """A one-time code that makes its holder the admin; only its SHA-256 is kept."""

    __tablename__ = "setup_codes"

    id: int | None = Field(default=None, primary_key=True)
    code_hash: str = Field(max_length=64, unique=True)
    created_at: float
    used_at: float | None = Field(default=None)

"""People: roles, accounts, sign-ins, tokens, teams, following, and mail."""

from enum import StrEnum
from typing import Any, Final, Protocol

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, Text, UniqueConstraint, false
from sqlmodel import Field, col

from gangland_web.base.text import ADDRESS_CHARS
from gangland_web.models.columns import Table, index_where, json_column, look_column, one_of, search_column

# Roles, and the actions that each role allows.


class Role(StrEnum):
    """The roles of users on the site."""

    AUTHOR = "author"
    ORGANIZER = "organizer"
    ADMIN = "admin"


class Act(StrEnum):
    """Actions that require a role.  Authors need no role for their own bots."""

    CREATE_TOURNAMENT = "create tournaments"
    EDIT_DRAFT = "edit a draft"
    DELETE_DRAFT = "delete a draft"
    MOVE_TOURNAMENT = "change a tournament's state"
    MOVE_DEADLINE = "postpone a deadline"
    RERUN_MATCH = "have a match played again"
    VOID_MATCH = "void a match"
    DISQUALIFY = "disqualify a bot"
    ENTER_FOR_OTHERS = "enter a bot for its owner"
    SEE_STUCK_WORK = "see delayed matches"
    SEE_AUDIT_LOG = "see the log of a tournament"
    MAKE_ALIASES = "create accounts for a class"
    RESET_PASSWORD = "create a code for a person's new password"  # noqa: S105 (an act, not a password)
    SEE_WHOLE_LOG = "see the whole log"
    SET_ROLES = "set people's roles"
    MODERATE = "rename, hide, retire or suspend people and bots"


# Actions on one tournament, which organizers may take only on their own tournaments.
TOURNAMENT_ACTS: Final = frozenset(
    {
        Act.EDIT_DRAFT,
        Act.DELETE_DRAFT,
        Act.MOVE_TOURNAMENT,
        Act.MOVE_DEADLINE,
        Act.RERUN_MATCH,
        Act.VOID_MATCH,
        Act.DISQUALIFY,
        Act.ENTER_FOR_OTHERS,
        Act.SEE_STUCK_WORK,
        Act.SEE_AUDIT_LOG,
    }
)
_ORGANIZER_ACTS: Final = TOURNAMENT_ACTS | {Act.CREATE_TOURNAMENT, Act.MAKE_ALIASES, Act.RESET_PASSWORD}
# The roles that may take each action.
ROLES: Final[dict[Act, frozenset[Role]]] = {
    **dict.fromkeys(_ORGANIZER_ACTS, frozenset({Role.ORGANIZER, Role.ADMIN})),
    **dict.fromkeys((Act.SEE_WHOLE_LOG, Act.SET_ROLES, Act.MODERATE), frozenset({Role.ADMIN})),
}


class Person(Protocol):
    """A user with a role, such as a signed-in visitor or a row of `User`."""

    @property
    def id(self) -> int | None:
        """The id of the account."""

    @property
    def role(self) -> str:
        """The value of a `Role`."""


def may_organize(role: str) -> bool:
    """Return whether users with this role may organize tournaments."""
    return Role(role) in ROLES[Act.CREATE_TOURNAMENT]


class Organized(Protocol):
    """Something with an organizer, such as a tournament."""

    @property
    def organizer_id(self) -> int | None:
        """The id of the organizer's account."""


def may(person: Person | None, act: Act, tournament: Organized | None = None) -> bool:
    """Return whether a user, or an anonymous visitor (None), may take an action.

    `tournament`: the tournament, for an action in `TOURNAMENT_ACTS`.  Raises ValueError: it is missing or not expected.
    """
    if (act in TOURNAMENT_ACTS) != (tournament is not None):
        raise ValueError(f"{act.name} {'needs' if act in TOURNAMENT_ACTS else 'does not take'} a tournament")
    if person is None or Role(person.role) not in ROLES.get(act, frozenset()):
        return False
    return (
        tournament is None
        or person.role == Role.ADMIN
        or (person.id is not None and person.id == tournament.organizer_id)
    )


# Accounts, sign-ins, email addresses, and one-time codes.


class User(Table, table=True):
    """A user with an account.  `name_key` is the same for all spellings of a name, so that each name is unique."""

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
    created_at: float  # seconds since the epoch, UTC, like all times in these tables
    # The organizer or admin who created the account for another person, such as a student.
    made_by: int | None = Field(default=None, foreign_key="users.id")
    suspended_for: str | None = Field(default=None, sa_type=Text)  # the reason; a suspended user cannot sign in
    deleted_at: float | None = Field(default=None)  # when the user deleted the account; the results stay


class SignIn(Table, table=True):
    """A user's sign-in in a browser; only the SHA-256 of its key is stored."""

    __tablename__ = "sign_ins"
    __table_args__ = (CheckConstraint("length(key_hash) = 64", name="key_hash_length"),)

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", index=True)
    key_hash: str = Field(max_length=64, unique=True)
    begun_at: float
    last_seen_at: float  # written at most once an hour
    proven_at: float  # when the user last typed the password
    address: str = Field(max_length=64)
    agent: str = Field(default="", max_length=160)
    # A submitted form that waits until the user has authenticated with the provider; see
    # `services.accounts.hold_request`.
    held: dict[str, Any] | None = Field(default=None, sa_column=json_column(nullable=True))


class PasswordCode(Table, table=True):
    """A one-time code for setting a password: the first one of an alias, or the replacement of a forgotten one."""

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
    """An email address of a user, who has at most one confirmed and one unconfirmed address."""

    __tablename__ = "email_addresses"
    __table_args__ = (
        index_where("uq_email_addresses_confirmed", "address_key", where=_CONFIRMED, unique=True),
        index_where("uq_email_addresses_of", "user_id", where=_CONFIRMED, unique=True),
        index_where("uq_email_addresses_waiting", "user_id", where=_WAITING, unique=True),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id")
    address: str = Field(max_length=ADDRESS_CHARS)
    address_key: str = Field(max_length=ADDRESS_CHARS)  # in lowercase; unique among confirmed addresses
    created_at: float
    confirmed_at: float | None = Field(default=None)


class EmailCode(Table, table=True):
    """A one-time code in an email, for confirming an address or setting a password.

    Each attempt to send an email creates a code; all codes are valid until one of them is used.
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
    """A one-time code for becoming the first admin; only its SHA-256 is stored."""

    __tablename__ = "setup_codes"

    id: int | None = Field(default=None, primary_key=True)
    code_hash: str = Field(max_length=64, unique=True)
    created_at: float
    used_at: float | None = Field(default=None)


class Identity(Table, table=True):
    """A user's account at the OpenID provider, by issuer and subject, which never change; no name is stored."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("issuer", "subject", name="uq_identities_issuer_subject"),)

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id", index=True)
    issuer: str = Field(max_length=255)
    subject: str = Field(max_length=255)
    created_at: float


# Tokens for the API.


class Token(Table, table=True):
    """A token of a user, valid for 1 to 365 days; only the SHA-256 of its secret is stored."""

    __tablename__ = "tokens"
    __table_args__ = (
        CheckConstraint("length(name) BETWEEN 1 AND 64", name="name_length"),
        CheckConstraint("length(secret_hash) = 64", name="secret_hash_length"),
        CheckConstraint("can_read OR can_upload OR can_write OR can_organize", name="some_scope"),
        CheckConstraint("NOT can_organize OR expires_at <= created_at + 604800", name="organize_days"),
        CheckConstraint("expires_at BETWEEN created_at + 86400 AND created_at + 31536000", name="days"),
        CheckConstraint("last_used_at IS NULL OR last_used_at < expires_at", name="used_while_good"),
    )

    id: int | None = Field(default=None, primary_key=True)
    owner_id: int = Field(foreign_key="users.id", index=True)
    name: str = Field(max_length=64)
    secret_hash: str = Field(max_length=64, unique=True)
    can_read: bool
    can_upload: bool
    can_write: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    can_organize: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    created_at: float
    expires_at: float
    last_used_at: float | None = Field(default=None)  # written at most once a minute
    revoked_at: float | None = Field(default=None)


# Teams with their members and invitations, and the names of users and teams.


class Team(Table, table=True):
    """Users who share bots under one name.  The row stays when the team is deleted, because results refer to it."""

    __tablename__ = "teams"
    __table_args__ = (CheckConstraint("length(name) BETWEEN 1 AND 64", name="name_length"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=64)
    name_key: str = Field(max_length=64, unique=True)
    search_key: str | None = Field(default=None, sa_column=search_column())
    look_key: str | None = Field(default=None, sa_column=look_column())
    captain_id: int = Field(foreign_key="users.id")
    created_at: float
    deleted_at: float | None = Field(default=None)


class Membership(Table, table=True):
    """A user's current or former membership in a team; no user is in two teams at once."""

    __tablename__ = "memberships"
    __table_args__ = (index_where("uq_memberships_one_team", "user_id", where="left_at IS NULL", unique=True),)

    id: int | None = Field(default=None, primary_key=True)
    team_id: int = Field(foreign_key="teams.id", index=True)
    user_id: int = Field(foreign_key="users.id", index=True)
    joined_at: float
    left_at: float | None = Field(default=None)


def is_member(user_id: Any) -> Any:
    """Return the condition that a row is a user's current membership; `user_id` is an id or a column."""
    return (col(Membership.user_id) == user_id) & col(Membership.left_at).is_(None)


class Invitation(Table, table=True):
    """A code for joining a team; only its SHA-256 is stored."""

    __tablename__ = "invitations"
    __table_args__ = (
        CheckConstraint("length(code_hash) = 64", name="code_hash_length"),
        CheckConstraint("places >= 1 AND taken BETWEEN 0 AND places", name="places"),
    )

    id: int | None = Field(default=None, primary_key=True)
    team_id: int = Field(foreign_key="teams.id", index=True)
    code_hash: str = Field(max_length=64, unique=True)
    made_at: float
    expires_at: float
    places: int  # the number of users who may join with this code
    taken: int = Field(default=0)
    revoked_at: float | None = Field(default=None)


class OwnerName(Table, table=True):
    """The name of a user or a team.  Database triggers maintain this table, so that every name is unique."""

    __tablename__ = "owner_names"
    __table_args__ = (CheckConstraint("(user_id IS NULL) <> (team_id IS NULL)", name="of_one"),)

    name_key: str = Field(primary_key=True, max_length=64)
    user_id: int | None = Field(
        default=None, sa_column=Column(Integer, ForeignKey("users.id", ondelete="CASCADE"), unique=True)
    )
    team_id: int | None = Field(
        default=None, sa_column=Column(Integer, ForeignKey("teams.id", ondelete="CASCADE"), unique=True)
    )


# Follows, how far users have read the news, and the secrets of their feeds.

_TARGETS = " + ".join(f"CASE WHEN {column} IS NULL THEN 0 ELSE 1 END" for column in ("bot_id", "person_id", "team_id"))


class Follow(Table, table=True):
    """A bot, a user or a team that a user follows; only the follower can see this."""

    __tablename__ = "follows"
    __table_args__ = (
        UniqueConstraint("user_id", "bot_id"),
        UniqueConstraint("user_id", "person_id"),
        UniqueConstraint("user_id", "team_id"),
        CheckConstraint(f"{_TARGETS} = 1", name="one"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id")
    bot_id: int | None = Field(default=None, foreign_key="bots.id", index=True)
    person_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    team_id: int | None = Field(default=None, foreign_key="teams.id")
    since: float


class FollowMark(Table, table=True):
    """A user's position in the news, and the secret of the user's feed."""

    __tablename__ = "follow_marks"
    __table_args__ = (CheckConstraint("length(feed_hash) = 64", name="feed_hash_length"),)

    user_id: int = Field(primary_key=True, foreign_key="users.id")
    read_at: float
    ranks: dict[str, Any] = Field(sa_column=json_column())  # the ranks that the user saw last, by "BOT.SEATS"
    feed_hash: str | None = Field(default=None, max_length=64)  # hash of the secret in the feed's URL


# The queue of emails.


class Kind(StrEnum):
    """The kinds of emails."""

    CONFIRM = "confirm"  # asks the user to confirm the address
    RECOVER = "recover"  # lets the user set a new password; the address may be unknown
    # The password was changed.
    PASSWORD = "password"  # noqa: S105 (a kind of email)
    ADDRESS = "address"  # the account no longer uses this address


class Mail(Table, table=True):
    """An email in the queue.  The row is deleted when the server has accepted it, or after the last failed attempt.

    The secret of a link is not stored, but generated when the email is sent.
    """

    __tablename__ = "mails"
    __table_args__ = (one_of("kind", Kind, "kind"), Index("ix_mails_next_at", "next_at"))

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(max_length=16)
    address: str = Field(max_length=ADDRESS_CHARS)
    # None for a recovery: the requester must not learn whether the address is known.
    user_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    created_at: float
    next_at: float  # time of the next attempt
    tries: int = Field(default=0)

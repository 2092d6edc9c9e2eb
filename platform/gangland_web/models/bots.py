"""Bots and their owners: code, versions with their steps, drafts, and the rules of ownership."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import sqlalchemy as sa
from sqlmodel import Field, Session, col, select

from gangland_sandbox.intake import BOT_NAME_CHARS
from gangland_web.base.text import look_key, name_key
from gangland_web.models.accounts import Membership, OwnerName, Team, User, is_member
from gangland_web.models.columns import Table, bytes_column, index_where, look_column, one_of, search_column
from gangland_web.models.tournaments import SeasonPlace

# States of a version, and the transitions between them.


class VersionState(StrEnum):
    """The states of a version, from the upload to the ladder."""

    RECEIVED = "received"
    SCANNED = "scanned"
    IMPORTED = "imported"
    LEGAL = "legal"
    TIMED = "timed"
    TRIAL = "trial"
    ACTIVE = "active"
    REJECTED = "rejected"
    RETIRED = "retired"


# The states of a version that passes all checks, in order.
PATH = (
    VersionState.RECEIVED,
    VersionState.SCANNED,
    VersionState.IMPORTED,
    VersionState.LEGAL,
    VersionState.TIMED,
    VersionState.TRIAL,
    VersionState.ACTIVE,
)

OPEN = PATH[:-1]  # states of a version that is still being checked


class BadTransition(ValueError):
    """A version cannot change from its state to the requested one."""


def transition(before: VersionState, after: VersionState) -> VersionState:
    """Return `after` if a version may change to it from `before`.  Raises BadTransition.

    A version moves forward along PATH.  Before it is active, it may be rejected, or retired because a newer version
    replaces it.  Once it is active, it can only be retired.
    """
    forward = before in OPEN and after in PATH and PATH.index(after) == PATH.index(before) + 1
    dropped = before in OPEN and after in (VersionState.REJECTED, VersionState.RETIRED)
    retired = before == VersionState.ACTIVE and after == VersionState.RETIRED
    if not (forward or dropped or retired):
        raise BadTransition(f"a version cannot change from {before.value!r} to {after.value!r}")
    return after


# Code by hash, bots, and versions with their steps.


class Code(Table, table=True):
    """A bot's source, identified by the SHA-256 of its bytes, so it never changes."""

    __tablename__ = "codes"
    __table_args__ = (
        sa.CheckConstraint("length(sha256) = 64", name="sha256_length"),
        sa.CheckConstraint("size >= 0", name="size_positive"),
        sa.CheckConstraint("source IS NOT NULL OR size = 0", name="source_known"),
    )

    sha256: str = Field(primary_key=True, max_length=64)
    # None for a bot that has only played on another site.
    source: bytes | None = Field(sa_column=bytes_column(nullable=True))
    size: int


class Bot(Table, table=True):
    """A bot for one game.  It belongs to a user or a team.  A house bot has no owner, and counts as its own owner.

    A bot from an imported tournament has no owner here, and its `name_key` is not derived from its name.
    """

    __tablename__ = "bots"
    __table_args__ = (
        sa.UniqueConstraint("game", "name_key"),
        sa.CheckConstraint(
            "(is_house OR import_id IS NOT NULL) = (owner_id IS NULL AND team_id IS NULL)", name="house_has_no_owner"
        ),
        sa.CheckConstraint("owner_id IS NULL OR team_id IS NULL", name="one_owner"),
        sa.CheckConstraint("(owner_group IS NULL) = (owner_id IS NULL AND team_id IS NULL)", name="owner_group"),
        sa.CheckConstraint("NOT is_house OR import_id IS NULL", name="imported_is_no_house_bot"),
        sa.CheckConstraint("(import_id IS NULL) = (foreign_owner IS NULL)", name="foreign_owner"),
        sa.CheckConstraint("import_id IS NULL OR active_version_id IS NULL", name="imported_plays_no_more"),
        sa.CheckConstraint(f"length(name) BETWEEN 1 AND {BOT_NAME_CHARS}", name="name_length"),
        index_where(
            "uq_bots_one_active",
            "owner_group",
            "game",
            where="active_version_id IS NOT NULL AND owner_group IS NOT NULL",
            unique=True,
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    owner_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    team_id: int | None = Field(default=None, foreign_key="teams.id", index=True)
    # Bots with the same group never meet. The group is "p" and a user's id, or "t" and a team's id for bots of the team
    # or of a member.
    owner_group: str | None = Field(default=None, max_length=16, index=True)
    game: str = Field(max_length=32)
    name: str = Field(max_length=BOT_NAME_CHARS)
    name_key: str = Field(max_length=BOT_NAME_CHARS)
    search_key: str | None = Field(default=None, sa_column=search_column())
    look_key: str | None = Field(default=None, sa_column=look_column())
    is_house: bool = Field(default=False)
    import_id: int | None = Field(default=None, foreign_key="imports.tournament_id")
    # An imported bot's owner on the other site; empty for a house bot of that site.
    foreign_owner: str | None = Field(default=None, max_length=80)
    active_version_id: int | None = Field(
        default=None,
        sa_column=sa.Column(
            sa.Integer,
            sa.ForeignKey("versions.id", use_alter=True, name="fk_bots_active_version_id_versions"),
            nullable=True,
        ),
    )
    # Whether the owner allows people to play against the bot.
    plays_persons: bool = Field(default=True, sa_column_kwargs={"server_default": sa.true()})
    created_at: float


class Version(Table, table=True):
    """An upload of a bot, numbered from 1; its source never changes."""

    __tablename__ = "versions"
    __table_args__ = (
        sa.UniqueConstraint("bot_id", "number"),
        one_of("state", VersionState, "state"),
        sa.CheckConstraint("number >= 1", name="number_from_one"),
        index_where("uq_versions_one_active", "bot_id", where="state = 'active'", unique=True),
        sa.Index("ix_versions_state", "state", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    bot_id: int = Field(foreign_key="bots.id")
    number: int
    code_sha256: str = Field(foreign_key="codes.sha256", max_length=64, index=True)
    filename: str = Field(max_length=128)
    state: str = Field(default=VersionState.RECEIVED.value, max_length=16)
    note: str = Field(default="", max_length=200, sa_column_kwargs={"server_default": ""})  # the author's public note
    # Whether the version was submitted from the editor.
    in_browser: bool = Field(default=False, sa_column_kwargs={"server_default": sa.false()})
    # The user who uploaded the version, as shown to the team; None for house bots and imported bots.
    uploaded_by: int | None = Field(default=None, foreign_key="users.id")
    created_at: float


class VersionStep(Table, table=True):
    """A state that a version has reached, with the reason if it was rejected."""

    __tablename__ = "version_steps"
    __table_args__ = (sa.UniqueConstraint("version_id", "state"), one_of("state", VersionState, "state"))

    id: int | None = Field(default=None, primary_key=True)
    version_id: int = Field(foreign_key="versions.id")
    state: str = Field(max_length=16)
    ok: bool
    message: str = Field(default="", sa_type=sa.Text)
    at: float
    seconds: float = Field(default=0.0)  # since the previous step


# Drafts written in the browser.

DRAFT_BYTES = 256 * 1024  # maximum size of a draft in UTF-8, as for a bot's file


class BotDraft(Table, table=True):
    """A private bot in the editor; `version` counts the saves, so that no tab overwrites another tab's changes."""

    __tablename__ = "bot_drafts"
    __table_args__ = (
        sa.UniqueConstraint("user_id", "game", "name"),
        sa.CheckConstraint(f"length(name) BETWEEN 1 AND {BOT_NAME_CHARS}", name="name_length"),
        sa.CheckConstraint("length(text) <= 262144", name="text_length"),
        sa.CheckConstraint("version >= 1", name="version_from_one"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id")
    game: str = Field(max_length=32)
    name: str = Field(max_length=BOT_NAME_CHARS)
    text: str = Field(sa_type=sa.Text)
    version: int = Field(default=1)
    saved_at: float
    passed_at: float | None = Field(default=None)  # when the last check passed; None if it did not


# Owners: the users who may act for a bot, the user or team that counts as its owner, and the owner's name on pages.
#
# All rules of ownership are in this section. A bot belongs to a user or to a team. A team and all its members count as
# one owner: their bots have the same `owner_group`, which is updated when users join or leave.


class Owned(Protocol):
    """Something that belongs to a user or a team, such as a bot or a row about a bot."""

    @property
    def owner_id(self) -> int | None:
        """The id of the user's account."""

    @property
    def team_id(self) -> int | None:
        """The id of the team."""


@dataclass(frozen=True, slots=True)
class Party:
    """A user and the user's current team."""

    person_id: int
    team_id: int | None = None

    @property
    def group(self) -> str:
        """Return the owner group of the user's bots, which is the team's if the user is in a team."""
        return person_group(self.person_id) if self.team_id is None else team_group(self.team_id)

    def acts_for(self, bot: Owned) -> bool:
        """Return whether the user may act for a bot, and see its logs and sources.

        No other user may do so, not even an admin.  `own_bots` is the same rule as a condition for queries.
        """
        is_owner = bot.owner_id is not None and bot.owner_id == self.person_id
        return is_owner or (bot.team_id is not None and bot.team_id == self.team_id)

    def own_bots(self) -> Any:
        """Return the rule of `acts_for` as a condition for queries on `Bot`."""
        is_owner = col(Bot.owner_id) == self.person_id
        return is_owner if self.team_id is None else sa.or_(is_owner, col(Bot.team_id) == self.team_id)


def party_of(session: Session, person_id: int) -> Party:
    """Return a user and the user's team."""
    return Party(person_id, session.exec(select(Membership.team_id).where(is_member(person_id))).first())


def person_group(person_id: int) -> str:
    """Return the owner group of a user without a team."""
    return f"p{person_id}"


def team_group(team_id: int) -> str:
    """Return the owner group of a team and all its members."""
    return f"t{team_id}"


def owner_numbers(groups: Sequence[str | None]) -> list[int | None]:
    """Return a number for each owner group, for pairing: the same number for equal groups, and None for None."""
    numbers: dict[str, int] = {}
    return [None if group is None else numbers.setdefault(group, len(numbers)) for group in groups]


def has_open_version(session: Session, bot: Bot) -> bool:
    """Return whether a bot has a version that is still being checked."""
    return session.exec(_open_versions().where(Version.bot_id == bot.id).limit(1)).first() is not None


def _open_versions() -> Any:
    return select(Version.id).where(col(Version.state).in_([state.value for state in OPEN]))


def open_version_exists() -> Any:
    """Return the rule of `has_open_version` as a condition for queries on `Bot`."""
    return _open_versions().where(Version.bot_id == Bot.id).correlate(Bot).exists()


def bots_in_play(session: Session, group: str, game: str | None = None) -> Sequence[Bot]:
    """Return an owner group's bots that are active or being checked, of one game or of all, ordered by game."""
    is_in_play = col(Bot.active_version_id).is_not(None) | open_version_exists()
    query = select(Bot).where(Bot.owner_group == group, is_in_play)
    if game is not None:
        query = query.where(Bot.game == game)
    return session.exec(query.order_by(Bot.game, col(Bot.id))).all()


def name_is_taken(session: Session, name: str) -> bool:
    """Return whether a user or a team has this name, ignoring case, or one that looks like it."""
    same_name = select(OwnerName).where(col(OwnerName.name_key) == name_key(name)).exists()
    look = look_key(name)
    same_look = [select(owner.id).where(col(owner.look_key) == look).exists() for owner in (User, Team)]
    return session.exec(select(sa.literal(1)).where(sa.or_(same_name, *same_look))).first() is not None


def owner_label(session: Session, bot: Bot) -> str:
    """Return the name of a bot's owner for a sentence, such as "team Aces"; "Gangland" if it has no owner here."""
    if bot.team_id is not None:
        return f"team {session.get_one(Team, bot.team_id).name}"
    return "Gangland" if bot.owner_id is None else session.get_one(User, bot.owner_id).name


def owner_name(model: type[Bot] | type[SeasonPlace] = Bot) -> Any:
    """Return a column with the owner's name, for queries on a model; NULL for a house bot or an imported bot."""
    # For a place in a season's standings, it is the current name of the user or team that owned the bot at its end.
    person = select(User.name).where(col(User.id) == col(model.owner_id)).correlate(model).scalar_subquery()
    team = select(Team.name).where(col(Team.id) == col(model.team_id)).correlate(model).scalar_subquery()
    return sa.func.coalesce(person, team)


HOUSE = "house"  # the owner of house bots in exports; no user may have this name


def shown_owner() -> Any:
    """Return a column with the owner's name as pages show it, for queries on `Bot`; NULL for a house bot."""
    # The owner of an imported bot is a user of another site, and is marked as such.
    foreign_owner = sa.case((col(Bot.foreign_owner) == "", sa.literal("a site")), else_=col(Bot.foreign_owner))
    return sa.case((col(Bot.import_id).is_not(None), foreign_owner + sa.literal(" (elsewhere)")), else_=owner_name())

"""Bots: their code, versions with the steps of each, and drafts written in the browser."""

from enum import StrEnum

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, Text, UniqueConstraint, false, true
from sqlmodel import Field

from gangland_web.models.columns import Table, bytes_column, index_where, look_column, one_of, search_column

# States of a version, and the moves between them.


class VersionState(StrEnum):
    """Where a version stands on its way from upload to ladder."""

    RECEIVED = "received"
    SCANNED = "scanned"
    IMPORTED = "imported"
    LEGAL = "legal"
    TIMED = "timed"
    TRIAL = "trial"
    ACTIVE = "active"
    REJECTED = "rejected"
    RETIRED = "retired"


PATH = (
    VersionState.RECEIVED,
    VersionState.SCANNED,
    VersionState.IMPORTED,
    VersionState.LEGAL,
    VersionState.TIMED,
    VersionState.TRIAL,
    VersionState.ACTIVE,
)
"""The states of a version that passes everything, in their order."""

OPEN = PATH[:-1]
"""States in which a version still waits for its verdict."""


class ForbiddenMove(ValueError):
    """A version was to move where its lifecycle has no way."""


def move(before: VersionState, after: VersionState) -> VersionState:
    """Return `after` if a version may go there from `before`.

    A version goes forward along PATH, may be rejected or retired (withdrawn for a newer one)
    before it is active, and once active can only be retired.

    Raises:
        ForbiddenMove: there is no such way.
    """
    forward = before in OPEN and after in PATH and PATH.index(after) == PATH.index(before) + 1
    refused = before in OPEN and after in (VersionState.REJECTED, VersionState.RETIRED)
    retired = before == VersionState.ACTIVE and after == VersionState.RETIRED
    if not (forward or refused or retired):
        raise ForbiddenMove(f"a version goes from {before.value!r} to no {after.value!r}")
    return after


# Code by its hash, bots, versions and their steps.


class Code(Table, table=True):
    """The source of a bot, addressed by the SHA-256 of its bytes and never changed.

    Of a bot that played on another installation alone only the SHA-256 is known: `source` is None then.
    """

    __tablename__ = "codes"
    __table_args__ = (
        CheckConstraint("length(sha256) = 64", name="sha256_length"),
        CheckConstraint("size >= 0", name="size_positive"),
        CheckConstraint("source IS NOT NULL OR size = 0", name="source_known"),
    )

    sha256: str = Field(primary_key=True, max_length=64)
    source: bytes | None = Field(sa_column=bytes_column(nullable=True))
    size: int


class Bot(Table, table=True):
    """A bot of one game under one name, a person's or a team's; a house bot has no owner and counts as one itself.

    `owner_group` says who counts as its owner when no two of one may meet: "p" and the number of a person, or "t" and
    that of a team, for its own bots and those of its members (`gangland_web.models.owners`).

    A bot that played in an imported tournament has no owner here: `import_id` says in which, `foreign_owner` who owned
    it (empty for a house bot of that site).  Its `name_key` is no name.
    """

    __tablename__ = "bots"
    __table_args__ = (
        UniqueConstraint("game", "name_key"),
        CheckConstraint(
            "(is_house OR import_id IS NOT NULL) = (owner_id IS NULL AND team_id IS NULL)", name="house_has_no_owner"
        ),
        CheckConstraint("owner_id IS NULL OR team_id IS NULL", name="one_owner"),
        CheckConstraint("(owner_group IS NULL) = (owner_id IS NULL AND team_id IS NULL)", name="owner_group"),
        CheckConstraint("NOT is_house OR import_id IS NULL", name="imported_is_no_house_bot"),
        CheckConstraint("(import_id IS NULL) = (foreign_owner IS NULL)", name="foreign_owner"),
        CheckConstraint("import_id IS NULL OR active_version_id IS NULL", name="imported_plays_no_more"),
        CheckConstraint("length(name) BETWEEN 1 AND 64", name="name_length"),
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
    owner_group: str | None = Field(default=None, max_length=16, index=True)
    game: str = Field(max_length=32)
    name: str = Field(max_length=64)
    name_key: str = Field(max_length=64)
    search_key: str | None = Field(default=None, sa_column=search_column())
    look_key: str | None = Field(default=None, sa_column=look_column())
    is_house: bool = Field(default=False)
    import_id: int | None = Field(default=None, foreign_key="imports.tournament_id")
    foreign_owner: str | None = Field(default=None, max_length=80)
    active_version_id: int | None = Field(
        default=None,
        sa_column=Column(
            Integer, ForeignKey("versions.id", use_alter=True, name="fk_bots_active_version_id_versions"), nullable=True
        ),
    )
    plays_persons: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Whether its owner lets people choose it as an opponent."""
    created_at: float


class Version(Table, table=True):
    """One upload of a bot, numbered from 1; what it is never changes, only its state does."""

    __tablename__ = "versions"
    __table_args__ = (
        UniqueConstraint("bot_id", "number"),
        one_of("state", VersionState, "state"),
        CheckConstraint("number >= 1", name="number_from_one"),
        index_where("uq_versions_one_active", "bot_id", where="state = 'active'", unique=True),
        Index("ix_versions_state", "state", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    bot_id: int = Field(foreign_key="bots.id")
    number: int
    code_sha256: str = Field(foreign_key="codes.sha256", max_length=64, index=True)
    filename: str = Field(max_length=128)
    state: str = Field(default=VersionState.RECEIVED.value, max_length=16)
    note: str = Field(default="", max_length=200, sa_column_kwargs={"server_default": ""})
    """What its author says of it, for everybody to read."""
    in_browser: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether it was uploaded from the editor."""
    uploaded_by: int | None = Field(default=None, foreign_key="users.id")
    """Who uploaded it, for its team to read; None for house bots and imported ones."""
    created_at: float


class VersionStep(Table, table=True):
    """A state that a version reached, or the reason why it was rejected there."""

    __tablename__ = "version_steps"
    __table_args__ = (UniqueConstraint("version_id", "state"), one_of("state", VersionState, "state"))

    id: int | None = Field(default=None, primary_key=True)
    version_id: int = Field(foreign_key="versions.id")
    state: str = Field(max_length=16)
    ok: bool
    message: str = Field(default="", sa_type=Text)
    at: float
    seconds: float = Field(default=0.0)
    """How long this step took, counted from the step before."""


# Drafts written in the browser.


DRAFT_BYTES = 256 * 1024
"""The most bytes of UTF-8 that a draft may have, like a bot's file."""


class BotDraft(Table, table=True):
    """A bot that a person writes in the browser, readable only for them.

    `version` counts the saves, so that no tab overwrites what another one saved.
    """

    __tablename__ = "bot_drafts"
    __table_args__ = (
        UniqueConstraint("user_id", "game", "name"),
        CheckConstraint("length(name) BETWEEN 1 AND 64", name="name_length"),
        CheckConstraint("length(text) <= 262144", name="text_length"),
        CheckConstraint("version >= 1", name="version_from_one"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="users.id")
    game: str = Field(max_length=32)
    name: str = Field(max_length=64)
    text: str = Field(sa_type=Text)
    version: int = Field(default=1)
    saved_at: float
    passed_at: float | None = Field(default=None)
    """When its last check found nothing; None where there was none, or it found something."""

"""Tables of bots: code by its hash, bots, their versions and the steps each version took."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, Text, UniqueConstraint, false, true
from sqlmodel import Field

from gangland_web.store.columns import Table, bytes_column, index_where, look_column, one_of, search_column
from gangland_web.store.lifecycles.versions import VersionState


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
    that of a team, for its own bots and those of its members (`gangland_web.store.owners`).

    A bot that played in an imported tournament is nobody's here: `import_id` says in which,
    `foreign_owner` whose it was (empty for a house bot of that house).  Its `name_key` is nobody's name.
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
            Integer,
            ForeignKey("versions.id", use_alter=True, name="fk_bots_active_version_id_versions"),
            nullable=True,
        ),
    )
    plays_persons: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Whether persons may choose it as an opponent, by its owner's word."""
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
    """Whether it was sent in from the editor."""
    uploaded_by: int | None = Field(default=None, foreign_key="users.id")
    """Who sent it in, for its team to read; None of a house bot's and of an imported one's."""
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

"""Tables at which persons play, and their rows: all that it takes to set one up again anywhere.

They are private, unrated and outside all statistics: nothing else refers to them.
"""

from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, ForeignKey, Integer, Text
from sqlmodel import Field

from gangland_web.store.columns import Table, index_where, json_column, one_of
from gangland_web.store.lifecycles.play_tables import HintState, TableState


class PlayTable(Table, table=True):
    """A table with one person.

    `setup` is a `gangland_ladder.playing.records.Setup`, with the seed, which nobody is given before the end.  It is of
    whoever is signed in (`owner_id`) or of a browser (`visitor`, the SHA-256 of what its cookie holds).
    """

    __tablename__ = "play_tables"
    __table_args__ = (
        one_of("state", TableState, "state"),
        CheckConstraint("(state = 'leased') = (lease_token IS NOT NULL)", name="leased_token"),
        CheckConstraint("(state = 'leased') = (lease_until IS NOT NULL)", name="leased_until"),
        CheckConstraint("(state = 'ended') = (ended_for IS NOT NULL)", name="ended_for"),
        CheckConstraint("shared_at IS NULL OR state = 'over'", name="shared_is_over"),
        CheckConstraint("owner_id IS NOT NULL OR visitor IS NOT NULL", name="somebodys"),
        CheckConstraint("attempt BETWEEN 0 AND 3", name="attempt"),
        index_where("ix_play_tables_open", "state", "active_at", where="state IN ('bots', 'leased', 'person')"),
    )

    id: int | None = Field(default=None, primary_key=True)
    token: str = Field(max_length=64, unique=True)
    """Its address; drawn by chance, so that nobody comes upon it."""
    owner_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    visitor: str | None = Field(default=None, max_length=64, index=True)
    setup: dict[str, Any] = Field(sa_column=json_column())
    limits: dict[str, Any] = Field(sa_column=json_column())
    """Of the bots' jails; see `gangland_sandbox.limits`."""
    practice: bool = Field(default=False)
    """Whether the person may ask for hints."""
    state: str = Field(default=TableState.BOTS.value, max_length=16)
    opened_at: float
    active_at: float
    """When the person or a bot last decided, or the person's page was last seen open."""
    lease_token: str | None = Field(default=None, max_length=64)
    lease_until: float | None = Field(default=None)
    host_id: int | None = Field(default=None, foreign_key="worker_hosts.id")
    """Who asked the bots last; they are warm there."""
    attempt: int = Field(default=0)
    differing: list[str] = Field(default_factory=list, sa_column=json_column())
    """Addresses of decisions at which a bot that was brought back answered otherwise than its row says."""
    ended_for: str | None = Field(default=None, sa_type=Text)
    """Why it ended before the game was over, in a sentence for the person."""
    shared_at: float | None = Field(default=None)
    """Since when everybody who knows the address may see it."""
    shared_name: str | None = Field(default=None, max_length=64)
    """What the person wants to be called there; None for "Person"."""


class PlayRow(Table, table=True):
    """A decision at a table; rows are only ever added, and the primary key lets nobody answer a question twice.

    `record` is a `gangland_ladder.playing.records.Row`.
    """

    __tablename__ = "play_rows"
    __table_args__ = (CheckConstraint("number >= 0", name="number"),)

    table_id: int | None = Field(
        default=None,
        sa_column=Column(
            Integer, ForeignKey("play_tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
    )
    number: int | None = Field(default=None, sa_column=Column(Integer, primary_key=True, autoincrement=False))
    record: dict[str, Any] = Field(sa_column=json_column())
    at: float


class PlayHint(Table, table=True):
    """A hint that a person asked for, one a question: what the reference would do there.

    `options` is a list of `gangland_ladder.playing.hints.HintOption`, best first, and empty where the reference has no
    word to say.  `attempt` counts the orders that were sent since it was last asked for; all of them have the same
    `token`, so that an answer counts whenever it comes.
    """

    __tablename__ = "play_hints"
    __table_args__ = (
        one_of("state", HintState, "state"),
        CheckConstraint("number >= 1", name="number"),
        CheckConstraint("(state = 'leased') = (lease_until IS NOT NULL)", name="leased_until"),
        CheckConstraint("(state = 'done') = (options IS NOT NULL)", name="done"),
        CheckConstraint("attempt BETWEEN 0 AND 3", name="attempt"),
        index_where("ix_play_hints_open", "state", where="state IN ('waiting', 'leased')"),
    )

    table_id: int | None = Field(
        default=None,
        sa_column=Column(
            Integer, ForeignKey("play_tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
    )
    number: int | None = Field(default=None, sa_column=Column(Integer, primary_key=True, autoincrement=False))
    """Of the question, among the person's."""
    state: str = Field(default=HintState.WAITING.value, max_length=16)
    token: str = Field(max_length=64)
    lease_until: float | None = Field(default=None)
    attempt: int = Field(default=0)
    options: list[Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))

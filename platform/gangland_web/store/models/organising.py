"""Tables of what organisers order, and of the log that nobody can edit."""

from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, Index, Text
from sqlmodel import Field

from gangland_web.store.columns import Table, bytes_column, index_where, json_column, one_of


class DirectiveKind(StrEnum):
    """What can be ordered of the record worker."""

    MOVE = "move"
    DEADLINE = "deadline"
    RERUN = "rerun"
    VOID = "void"
    DISQUALIFY = "disqualify"
    RANDOMNESS = "randomness"


class DirectiveState(StrEnum):
    """Where a directive stands: waiting -> done or refused."""

    WAITING = "waiting"
    DONE = "done"
    REFUSED = "refused"


class Directive(Table, table=True):
    """An organiser's order, which the record worker carries out or refuses.

    `details` are what the kind needs; `message` is what came of it, in a sentence; `before` is zstd over JSON of what
    was recorded and is not any more.
    """

    __tablename__ = "directives"
    __table_args__ = (
        one_of("kind", DirectiveKind, "kind"),
        one_of("state", DirectiveState, "state"),
        CheckConstraint("(state = 'waiting') = (done_at IS NULL)", name="done_at"),
        index_where("ix_directives_waiting", "id", where="state = 'waiting'"),
        Index("ix_directives_tournament", "tournament_id", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(max_length=16)
    tournament_id: int = Field(foreign_key="tournaments.id")
    match_id: int | None = Field(default=None, foreign_key="matches.id")
    entry_id: int | None = Field(default=None, foreign_key="entries.id")
    details: dict[str, Any] = Field(sa_column=json_column())
    reason: str = Field(default="", sa_type=Text)
    """Public, where it takes something out of the results."""
    ordered_by: int = Field(foreign_key="users.id")
    ordered_at: float
    state: str = Field(default=DirectiveState.WAITING.value, max_length=16)
    message: str = Field(default="", sa_type=Text)
    done_at: float | None = Field(default=None)
    before: bytes | None = Field(default=None, sa_column=bytes_column(nullable=True))


class AuditEntry(Table, table=True):
    """One act of somebody with a role.  Triggers of the database refuse every change and removal.

    `actor_id` is None for the house itself: the clock, the record worker, its command line.  `address` is where the
    request came from, or "command line".
    """

    __tablename__ = "audit_log"
    __table_args__ = (
        Index("ix_audit_log_tournament", "tournament_id", "id"),
        Index("ix_audit_log_actor", "actor_id", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    at: float
    actor_id: int | None = Field(default=None, foreign_key="users.id")
    act: str = Field(max_length=64)
    tournament_id: int | None = Field(default=None, foreign_key="tournaments.id")
    subject: str = Field(default="", max_length=200)
    """What it was done to, in words."""
    details: dict[str, Any] = Field(sa_column=json_column())
    directive_id: int | None = Field(default=None, foreign_key="directives.id")
    address: str = Field(max_length=64)

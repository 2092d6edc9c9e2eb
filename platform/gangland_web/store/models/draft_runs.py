"""The table of runs of drafts: checks, matches and duels that the editor asks for."""

from typing import Any

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, Text
from sqlalchemy.types import JSON
from sqlmodel import Field

from gangland_web.store.columns import Table, json_column, one_of
from gangland_web.store.lifecycles.draft_runs import RunKind, RunState


class DraftRun(Table, table=True):
    """One run of a draft, for its author alone: unrated, outside all statistics, and gone after a day.

    `text` is the draft as it was then; `setup` is a `gangland_web.league.drafts.runs.RunSetup`, from which its order is
    made, the same each time; `result` a `gangland_web.league.drafts.recording.RunResult`.  `attempt` counts begun runs.
    """

    __tablename__ = "draft_runs"
    __table_args__ = (
        one_of("kind", RunKind, "kind"),
        one_of("state", RunState, "state"),
        CheckConstraint("(state = 'leased') = (lease_token IS NOT NULL)", name="leased_token"),
        CheckConstraint("(state = 'leased') = (lease_until IS NOT NULL)", name="leased_until"),
        CheckConstraint("state = 'leased' OR begun_at IS NULL", name="begun_is_leased"),
        CheckConstraint("(state = 'done') = (result IS NOT NULL)", name="result"),
        CheckConstraint("(state = 'failed') = (failed_for IS NOT NULL)", name="failed_for"),
        CheckConstraint("attempt BETWEEN 0 AND 3", name="attempt"),
        CheckConstraint("length(text) <= 262144", name="text_length"),
        Index("ix_draft_runs_queue", "state", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    draft_id: int = Field(
        sa_column=Column(Integer, ForeignKey("bot_drafts.id", ondelete="CASCADE"), nullable=False, index=True)
    )
    user_id: int = Field(foreign_key="users.id", index=True)
    kind: str = Field(max_length=16)
    text: str = Field(sa_type=Text)
    setup: dict[str, Any] = Field(sa_column=json_column())
    limits: dict[str, Any] = Field(sa_column=json_column())
    """Of the bots' jails; see `gangland_sandbox.limits`."""
    state: str = Field(default=RunState.WAITING.value, max_length=16)
    lease_token: str | None = Field(default=None, max_length=64)
    lease_until: float | None = Field(default=None)
    begun_at: float | None = Field(default=None)
    host_id: int | None = Field(default=None, foreign_key="worker_hosts.id")
    attempt: int = Field(default=0)
    failed_for: str | None = Field(default=None, sa_type=Text)
    """Why nothing came of it, in a sentence for its author."""
    result: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    created_at: float
    done_at: float | None = Field(default=None)

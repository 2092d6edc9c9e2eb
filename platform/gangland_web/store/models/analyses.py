"""Tables of analyses: what the reference says of a game, and what each seat's decisions cost in it."""

from typing import Any

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, LargeBinary, Text, UniqueConstraint
from sqlalchemy.types import JSON
from sqlmodel import Field

from gangland_web.store.columns import Table, one_of
from gangland_web.store.lifecycles.analyses import AnalysisState, RequestedBy


class AnalysisColumns(Table):
    """What is kept of an analysis, of whatever game.

    `course` is the `Analysis` and `figures` the `GameFigures` of `gangland_ladder.analysis`, both as
    `gangland_ladder.analysis.kept` packs them; while a game is leased, `course` may be as much of it as is known.
    `attempt` counts begun runs.
    """

    state: str = Field(default=AnalysisState.WAITING.value, max_length=16)
    requested_at: float
    lease_token: str | None = Field(default=None, max_length=64)
    lease_until: float | None = Field(default=None)
    begun_at: float | None = Field(default=None)
    attempt: int = Field(default=0)
    failed_for: str | None = Field(default=None, sa_type=Text)
    """Why there is no analysis, in a sentence that pages show."""
    done_at: float | None = Field(default=None)
    cpu_s: float | None = Field(default=None)
    """CPU seconds, as the worker said."""
    version: str | None = Field(default=None, max_length=64)
    """Of the reference that judged the game, or could not."""
    complete: bool | None = Field(default=None)
    """Whether there was time for the whole game."""
    course: bytes | None = Field(default=None, sa_type=LargeBinary)
    figures: bytes | None = Field(default=None, sa_type=LargeBinary)
    continued: bytes | None = Field(default=None, sa_type=LargeBinary)
    """A list of `Continued`: the game played on from its costliest decisions; None until it is done."""


def _checks() -> tuple[CheckConstraint, ...]:
    return (
        one_of("state", AnalysisState, "state"),
        CheckConstraint("(state = 'leased') = (lease_token IS NOT NULL)", name="leased_token"),
        CheckConstraint("(state = 'leased') = (lease_until IS NOT NULL)", name="leased_until"),
        CheckConstraint("state = 'leased' OR begun_at IS NULL", name="begun_is_leased"),
        CheckConstraint("(state = 'failed') = (failed_for IS NOT NULL)", name="failed_for"),
        CheckConstraint(
            "state <> 'done' OR (course IS NOT NULL AND figures IS NOT NULL AND done_at IS NOT NULL)", name="done"
        ),
        CheckConstraint("course IS NULL OR (version IS NOT NULL AND complete IS NOT NULL)", name="course"),
        CheckConstraint("attempt BETWEEN 0 AND 3", name="attempt"),
    )


class GameAnalysis(AnalysisColumns, table=True):
    """A game of a match that is analysed, or is to be; only those whose result everybody may see have a row."""

    __tablename__ = "analyses"
    __table_args__ = (
        *_checks(),
        one_of("requested_by", RequestedBy, "requested_by"),
        Index("ix_analyses_queue", "state", "requested_by", "requested_at", "game_id"),
        Index("ix_analyses_done", "requested_by", "done_at"),
    )

    game_id: int | None = Field(
        default=None,
        sa_column=Column(Integer, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    )
    requested_by: str = Field(max_length=16)


class TableAnalysis(AnalysisColumns, table=True):
    """A person's game at a table that is analysed, or is to be; it is as private as the table, and in no statistics."""

    __tablename__ = "play_analyses"
    __table_args__ = (*_checks(), Index("ix_play_analyses_queue", "state", "requested_at", "table_id"))

    table_id: int | None = Field(
        default=None,
        sa_column=Column(
            Integer, ForeignKey("play_tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
    )


class RunAnalysis(AnalysisColumns, table=True):
    """A game of a draft's run that is analysed, or is to be: for its author alone, and gone with the run."""

    __tablename__ = "draft_analyses"
    __table_args__ = (
        *_checks(),
        CheckConstraint("number >= 0", name="number"),
        UniqueConstraint("run_id", "number"),
        Index("ix_draft_analyses_queue", "state", "requested_at", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(sa_column=Column(Integer, ForeignKey("draft_runs.id", ondelete="CASCADE"), nullable=False))
    number: int
    """Of the game in the run's result, from 0."""


class AnalysisSeat(Table, table=True):
    """A seat of an analysed game: whose it was, and what its decisions cost; figures are None until that is known.

    `costs` is a list of {"kind", "phase", "theme", "rounds", "decisions", "marked", "cost"}, one of each kind of
    question, third of the game's rounds and theme that the seat has; those without cost have no theme.  `rounds` are
    the first and the last of those decisions.  Costs are shares of a win.  Where decisions are amounts, there are also
    "amounts", how many that are, and the sums of what was "chosen" and of what was "best".
    """

    __tablename__ = "analysis_seats"
    __table_args__ = (
        CheckConstraint("seat BETWEEN 0 AND 3", name="seat"),
        CheckConstraint("seats BETWEEN 2 AND 4", name="seats"),
        CheckConstraint("(decisions IS NULL) = (cost IS NULL)", name="cost"),
        CheckConstraint("(decisions IS NULL) = (good IS NULL)", name="good"),
        CheckConstraint("(decisions IS NULL) = (costs IS NULL)", name="costs"),
        Index("ix_analysis_seats_version", "version_id", "seats", "game_id"),
        Index("ix_analysis_seats_entry", "entry_id", "game_id"),
    )

    game_id: int | None = Field(
        default=None,
        sa_column=Column(
            Integer, ForeignKey("analyses.game_id", ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
    )
    seat: int | None = Field(default=None, sa_column=Column(Integer, primary_key=True, autoincrement=False))
    seats: int
    """Of the table."""
    entry_id: int = Field(foreign_key="entries.id")
    version_id: int = Field(foreign_key="versions.id")
    decisions: int | None = Field(default=None)
    """How many were judged."""
    good: int | None = Field(default=None)
    """How many of them were best or good."""
    cost: float | None = Field(default=None)
    costs: list[dict[str, Any]] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))

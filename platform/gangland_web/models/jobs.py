"""Work for workers besides matches: analyses of games, runs of drafts, tables of people and their hints."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field

from gangland_ladder.matches.match_orders import HIGHEST_ID
from gangland_web.models.columns import Table, index_where, json_column, key_column, one_of

# Analyses: states and limits.


class AnalysisState(StrEnum):
    """Where an analysis stands: waiting -> leased -> done or failed; one whose lease runs out or that gives way waits
    again.

    What is done or has failed goes back to waiting where the reference is of another version now; what is known stays
    until it is known anew.
    """

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"


class RequestedBy(StrEnum):
    """Why a game is analysed; the order is that in which they are sent."""

    OPENED = "opened"
    """Somebody opened its page."""
    SAMPLE = "sample"
    """It is one of a few games of each version, or known by another version of the reference: nobody waits for it, and
    it gives way."""


class AnalysisVerdict(StrEnum):
    """What became of a worker's message about a game."""

    DONE = "done"
    PART = "part"
    ALIVE = "alive"
    RETURNED = "returned"
    FAILED = "failed"
    REFUSED = "refused"
    STALE = "stale"


ANALYSIS_ATTEMPTS: Final = 3
"""An analysis that was begun this many times without a result has failed."""
ANALYSIS_LEASE_S: Final = 120.0
"""How long a worker may be silent: it has the lowest priority, so it is kept waiting at times."""
OPENED_LIMIT: Final = 200
"""At most this many games that people opened wait."""


# Analyses: the reference's view of a game, and the cost of each seat's decisions.


class AnalysisColumns(Table):
    """What is stored of the analysis of a game.

    `course` is the `Analysis` and `figures` the `GameFigures` of `gangland_ladder.analysis`, both as
    `gangland_ladder.analysis.transfer` packs them; while a game is leased, `course` may be as much of it as is known.
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
    """A game of a match that is analyzed, or is to be; only those whose result everybody may see have a row."""

    __tablename__ = "analyses"
    __table_args__ = (
        *_checks(),
        one_of("requested_by", RequestedBy, "requested_by"),
        Index("ix_analyses_queue", "state", "requested_by", "requested_at", "game_id"),
        Index("ix_analyses_done", "requested_by", "done_at"),
    )

    game_id: int | None = Field(default=None, sa_column=key_column("games.id"))
    requested_by: str = Field(max_length=16)


class TableAnalysis(AnalysisColumns, table=True):
    """A person's game at a table that is analyzed, or is to be; it is as private as the table, and in no statistics."""

    __tablename__ = "play_analyses"
    __table_args__ = (*_checks(), Index("ix_play_analyses_queue", "state", "requested_at", "table_id"))

    table_id: int | None = Field(default=None, sa_column=key_column("play_tables.id"))


class RunAnalysis(AnalysisColumns, table=True):
    """A game of a draft's run that is analyzed, or is to be: for its author alone, and gone with the run."""

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
    """A seat of an analyzed game: whose it was, and what its decisions cost; figures are None until that is known.

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

    game_id: int | None = Field(default=None, sa_column=key_column("analyses.game_id"))
    seat: int | None = Field(default=None, sa_column=key_column())
    seats: int
    """Of the table."""
    entry_id: int = Field(foreign_key="entries.id")
    version_id: int = Field(foreign_key="versions.id")
    decisions: int | None = Field(default=None)
    """How many were judged."""
    good: int | None = Field(default=None)
    """How many of them were best or good."""
    cost: float | None = Field(default=None)
    costs: list[dict[str, Any]] | None = Field(default=None, sa_column=json_column(nullable=True))


# Runs of drafts: states, limits, and the numbers by which workers know them.


class RunKind(StrEnum):
    """What is done with a draft."""

    CHECK = "check"
    PLAY = "play"
    """The check, then a match against chosen bots."""
    DUEL = "duel"
    """The check, then a match against its author's active version of that name."""


class RunState(StrEnum):
    """Where a run stands: waiting -> leased -> done or failed; one whose lease runs out waits again."""

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"


OPEN_RUNS: Final = (RunState.WAITING.value, RunState.LEASED.value)
RUN_ATTEMPTS: Final = 3
"""A run that was begun this many times without a result has failed."""
RUN_TAKEN_WITHIN_S: Final = 60.0
"""A run that no worker has begun by then is sent again."""
RUN_SILENCE_S: Final = 15.0
"""A begun run is taken back after this long without a message."""
RUN_KEPT_S: Final = 86_400.0
"""How long a run is kept."""
FIRST_ORDER: Final = HIGHEST_ID - 2**27
"""To workers a run is an order like a match; runs have the numbers from here on."""


def order_id(run_id: int) -> int:
    """Return the number of a run's order."""
    return FIRST_ORDER + run_id


def run_of(order: int) -> int | None:
    """Return the run that an order's number is of, None for a match's."""
    return order - FIRST_ORDER if order > FIRST_ORDER else None


# Runs of drafts: checks, matches and duels that the editor asks for.


class DraftRun(Table, table=True):
    """One run of a draft, for its author alone: unrated, outside all statistics, and gone after a day.

    `text` is the draft as it was then; `setup` is a `services.draft_runs.RunSetup`, from which its order is
    made, the same each time; `result` a `services.draft_runs.RunResult`.  `attempt` counts begun runs.
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
    """Why it has no result, in a sentence for its author."""
    result: dict[str, Any] | None = Field(default=None, sa_column=json_column(nullable=True))
    created_at: float
    done_at: float | None = Field(default=None)


# Tables of people and hints: states and limits.


class TableState(StrEnum):
    """Where a table stands: the bots and the person by turns, until the game is over or the table is ended.

    `bots`: bots are to be asked; `leased`: a worker asks them; `person`: the person is asked.  A lease that runs out
    goes back to `bots`.
    """

    BOTS = "bots"
    LEASED = "leased"
    PERSON = "person"
    OVER = "over"
    ENDED = "ended"


class TableVerdict(StrEnum):
    """What became of a worker's message about a table."""

    TAKEN = "taken"
    ALIVE = "alive"
    ENDED = "ended"
    FAILED = "failed"
    REFUSED = "refused"
    STALE = "stale"


class HintState(StrEnum):
    """Where a hint stands: waiting -> leased -> done or failed.

    A lease that runs out goes back to waiting, at last to failed; what has failed waits again when it is asked for.
    """

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"


OPEN_TABLES: Final = (TableState.BOTS, TableState.LEASED, TableState.PERSON)
"""A table in one of these states counts as open."""
MOST_TABLES: Final = 50
"""How many tables can be open: while a person thinks, a table takes no CPU."""
MOST_OF_VISITORS: Final = MOST_TABLES // 2
"""How many of them people without an account can have, so that those with one find a seat."""
TABLE_ATTEMPTS: Final = 3
"""A table is ended when workers report this many failures in a row."""
TABLE_LEASE_S: Final = 15.0
"""How long a worker may be silent after its first message; each message prolongs the lease."""
TABLE_SENT_S: Final = 30.0
"""How long an order may go without a message: a worker that also plays matches takes it after its match."""
AWAY_S: Final = 180.0
"""A table whose person has been silent for this long is ended when another person needs its place."""
SEEN_EVERY_S: Final = 45.0
"""The shortest time between two notes that a person is there; the page's script says so each minute."""
HINT_LEASE_S: Final = 60.0
"""How long an order for a hint may take: up to 4 s of CPU, after the game that is being analyzed."""


# Tables of people, their rows and hints: enough to set a game up again anywhere.


class PlayTable(Table, table=True):
    """A table with one person.

    `setup` is a `gangland_ladder.playing.table_state.Setup`, with the seed, which is not shown before the end.  The
    table belongs to a signed-in person (`owner_id`) or to a browser (`visitor`, the SHA-256 of its cookie's value).
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
    """Its address; drawn at random, so that it cannot be guessed."""
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
    """The host that asked the bots last, where they are still running."""
    attempt: int = Field(default=0)
    differing: list[str] = Field(default_factory=list, sa_column=json_column())
    """Addresses of decisions at which a restarted bot answered otherwise than its row says."""
    ended_for: str | None = Field(default=None, sa_type=Text)
    """Why it ended before the game was over, in a sentence for the person."""
    shared_at: float | None = Field(default=None)
    """Since when all who know the address may see it."""
    shared_name: str | None = Field(default=None, max_length=64)
    """The name that the person chose for it; None for "Person"."""


class PlayRow(Table, table=True):
    """A decision at a table; rows are only added, and by the primary key no question is answered twice.

    `record` is a `gangland_ladder.playing.table_state.Row`.
    """

    __tablename__ = "play_rows"
    __table_args__ = (CheckConstraint("number >= 0", name="number"),)

    table_id: int | None = Field(default=None, sa_column=key_column("play_tables.id"))
    number: int | None = Field(default=None, sa_column=key_column())
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

    table_id: int | None = Field(default=None, sa_column=key_column("play_tables.id"))
    number: int | None = Field(default=None, sa_column=key_column())
    """Of the question, among the person's."""
    state: str = Field(default=HintState.WAITING.value, max_length=16)
    token: str = Field(max_length=64)
    lease_until: float | None = Field(default=None)
    attempt: int = Field(default=0)
    options: list[Any] | None = Field(default=None, sa_column=json_column(nullable=True))

"""Jobs for workers; analyses of games, clips, runs of drafts, tables of people and their hints."""

from enum import StrEnum
from typing import Any, Final

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field

from gangland_web.models.columns import Table, index_where, json_column, key_column, one_of

# Jobs: what workers are to do, whatever it is about.


class JobState(StrEnum):
    """The state of a job: waiting -> leased -> done or failed; a lease that ends without a result waits again."""

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"


class Job(Table, table=True):
    """Something that a worker is to do, and its lease; see `gangland_web.services.jobs`.

    `subject` is the id of the row that a job of this kind is about.  `attempt` counts begun runs.
    """

    __tablename__ = "jobs"
    __table_args__ = (
        UniqueConstraint("kind", "subject"),
        one_of("state", JobState, "state"),
        CheckConstraint("(state = 'leased') = (token IS NOT NULL)", name="leased_token"),
        CheckConstraint("(state = 'leased') = (lease_until IS NOT NULL)", name="leased_until"),
        CheckConstraint("state <> 'leased' OR (leased_at IS NOT NULL AND queue IS NOT NULL)", name="leased_at"),
        CheckConstraint("state <> 'waiting' OR (leased_at IS NULL AND begun_at IS NULL)", name="waiting"),
        CheckConstraint("(begun_at IS NULL) = (beat_at IS NULL)", name="begun_beats"),
        CheckConstraint("(state = 'failed') = (failed_for IS NOT NULL)", name="failed_for"),
        CheckConstraint("(state IN ('done', 'failed')) = (done_at IS NOT NULL)", name="done_at"),
        CheckConstraint("attempt BETWEEN 0 AND 3", name="attempt"),
        Index("ix_jobs_queue", "state", "kind", "priority", "created_at", "id"),
        index_where("ix_jobs_done", "done_at", where="done_at IS NOT NULL"),
        index_where("ix_jobs_begun", "queue", "leased_at", where="begun_at IS NOT NULL"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(max_length=24)
    subject: int
    priority: int = Field(default=0)
    """Jobs with a smaller one go first."""
    state: str = Field(default=JobState.WAITING.value, max_length=16)
    token: str | None = Field(default=None, max_length=64)
    queue: str | None = Field(default=None, max_length=64)
    """Of the broker, into which its message was put last."""
    host_id: int | None = Field(default=None, foreign_key="worker_hosts.id")
    """The host that was given it last; None for the workers that analyze games."""
    leased_at: float | None = Field(default=None)
    lease_until: float | None = Field(default=None)
    begun_at: float | None = Field(default=None)
    beat_at: float | None = Field(default=None)
    attempt: int = Field(default=0)
    failed_for: str | None = Field(default=None, sa_type=Text)
    created_at: float
    done_at: float | None = Field(default=None)


class Verdict(StrEnum):
    """What became of a message about a job."""

    ALIVE = "alive"
    PART = "part"
    DONE = "done"
    RETURNED = "returned"
    FAILED = "failed"
    REFUSED = "refused"
    STALE = "stale"
    FORGED = "forged"
    SHUT_OUT = "shut out"
    OTHER_RELEASE = "of another release"


# Analyses: states and limits.


class AnalysisState(StrEnum):
    """The state of an analysis: open -> done or failed.

    What is done or has failed is opened again where the reference is of another version now; what is known stays until
    it is known anew.
    """

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


class RequestedBy(StrEnum):
    """Why a game is analysed; the order is that in which they are sent."""

    OWN = "own"
    """It is private, and its player asked for it."""
    OPENED = "opened"
    """Somebody opened its page."""
    SAMPLE = "sample"
    """It is one of a few games of each version, or known by another version of the reference: nobody waits for it, and
    it gives way."""


OPENED_LIMIT: Final = 200
"""At most this many games wait that people opened, and as many of their own."""


# Analyses: the reference's view of a game, and the cost of each seat's decisions.


class GameAnalysis(Table, table=True):
    """A game that is analyzed, or is to be: of those of rated matches, all that everybody may see; any private one.

    `course` is the `Analysis` and `figures` the `GameFigures` of `gangland_ladder.analysis`, both as
    `gangland_ladder.analysis.transfer` packs them; while it is open, `course` may be as much of it as is known.
    """

    __tablename__ = "analyses"
    __table_args__ = (
        one_of("state", AnalysisState, "state"),
        CheckConstraint("(state = 'failed') = (failed_for IS NOT NULL)", name="failed_for"),
        CheckConstraint(
            "state <> 'done' OR (course IS NOT NULL AND figures IS NOT NULL AND done_at IS NOT NULL)", name="done"
        ),
        CheckConstraint("course IS NULL OR (version IS NOT NULL AND complete IS NOT NULL)", name="course"),
        one_of("requested_by", RequestedBy, "requested_by"),
        Index("ix_analyses_state", "state", "requested_by", "requested_at", "game_id"),
        Index("ix_analyses_done", "requested_by", "done_at"),
    )

    game_id: int | None = Field(default=None, sa_column=key_column("games.id"))
    requested_by: str = Field(max_length=16)
    state: str = Field(default=AnalysisState.OPEN.value, max_length=16)
    requested_at: float
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


# Runs of drafts: states and limits.


class RunKind(StrEnum):
    """What is done with a draft."""

    CHECK = "check"
    PLAY = "play"
    """The check, then a match against chosen bots."""
    DUEL = "duel"
    """The check, then a match against its author's active version of that name."""


class RunState(StrEnum):
    """The state of a run: open -> done or failed."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


RUN_KEPT_S: Final = 86_400.0
"""How long a run is kept."""


# Runs of drafts: checks, matches and duels that the editor asks for.


class DraftRun(Table, table=True):
    """One run of a draft, for its author alone: unrated, outside all statistics, and gone after a day with its match.

    `text` is the draft as it was then; `setup` is a `services.draft_runs.RunSetup`, from which its order is
    made, the same each time; `result` a `gangland_ladder.matches.match_orders.CheckReport`.
    """

    __tablename__ = "draft_runs"
    __table_args__ = (
        one_of("kind", RunKind, "kind"),
        one_of("state", RunState, "state"),
        CheckConstraint("(state = 'done') = (result IS NOT NULL)", name="result"),
        CheckConstraint("(state = 'failed') = (failed_for IS NOT NULL)", name="failed_for"),
        CheckConstraint("length(text) <= 262144", name="text_length"),
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
    state: str = Field(default=RunState.OPEN.value, max_length=16)
    failed_for: str | None = Field(default=None, sa_type=Text)
    """Why it has no result, in a sentence for its author."""
    result: dict[str, Any] | None = Field(default=None, sa_column=json_column(nullable=True))
    match_id: int | None = Field(default=None, foreign_key="matches.id", unique=True)
    """The match that was played; None without one."""
    created_at: float
    done_at: float | None = Field(default=None)


# Tables of people and hints: states and limits.


class TableState(StrEnum):
    """The state of a table: the bots and the person by turns, until the game is over or the table is ended."""

    BOTS = "bots"
    PERSON = "person"
    OVER = "over"
    ENDED = "ended"


class HintState(StrEnum):
    """The state of a hint: open -> done or failed; one that has failed is opened again when it is asked for."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


OPEN_TABLES: Final = (TableState.BOTS, TableState.PERSON)
"""A table in one of these states counts as open."""
MOST_TABLES: Final = 50
"""How many tables can be open: while a person thinks, a table takes no CPU."""
MOST_OF_VISITORS: Final = MOST_TABLES // 2
"""How many of them people without an account can have, so that those with one find a seat."""
AWAY_S: Final = 180.0
"""A table whose person has been silent for this long is ended when another person needs its place."""
SEEN_EVERY_S: Final = 45.0
"""The shortest time between two notes that a person is there; the page's script says so each minute."""


# Tables of people, their rows and hints: enough to set a game up again anywhere.


class PlayTable(Table, table=True):
    """A table with one person.

    `setup` is a `gangland_ladder.playing.table_state.Setup`, with the seed, which is not shown before the end.  The
    table belongs to a signed-in person (`owner_id`) or to a browser (`visitor`, the SHA-256 of its cookie's value).
    """

    __tablename__ = "play_tables"
    __table_args__ = (
        one_of("state", TableState, "state"),
        CheckConstraint("(state = 'ended') = (ended_for IS NOT NULL)", name="ended_for"),
        CheckConstraint("(state = 'over') = (match_id IS NOT NULL)", name="over_match"),
        CheckConstraint("shared_at IS NULL OR state = 'over'", name="shared_is_over"),
        CheckConstraint("owner_id IS NOT NULL OR visitor IS NOT NULL", name="somebodys"),
        index_where("ix_play_tables_open", "state", "active_at", where="state IN ('bots', 'person')"),
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
    differing: list[str] = Field(default_factory=list, sa_column=json_column())
    """Addresses of decisions at which a restarted bot answered otherwise than its row says."""
    ended_for: str | None = Field(default=None, sa_type=Text)
    """Why it ended before the game was over, in a sentence for the person."""
    match_id: int | None = Field(default=None, foreign_key="matches.id", unique=True)
    """The match that its game became when it was over; its rows are gone then."""
    hints: list[int] = Field(default_factory=list, sa_column=json_column())
    """Numbers of the decisions of that game before which a hint was taken."""
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
    word to say.
    """

    __tablename__ = "play_hints"
    __table_args__ = (
        UniqueConstraint("table_id", "number"),
        one_of("state", HintState, "state"),
        CheckConstraint("number >= 1", name="number"),
        CheckConstraint("(state = 'done') = (options IS NOT NULL)", name="done"),
    )

    id: int | None = Field(default=None, primary_key=True)
    table_id: int = Field(sa_column=Column(Integer, ForeignKey("play_tables.id", ondelete="CASCADE"), nullable=False))
    number: int
    """Of the question, among the person's."""
    state: str = Field(default=HintState.OPEN.value, max_length=16)
    options: list[Any] | None = Field(default=None, sa_column=json_column(nullable=True))


# Clips: pictures of a game that move, made by a worker and kept here until a page takes them.


class Clip(Table, table=True):
    """A clip that was requested: `request` is a `gangland_ladder.viewer.clip_orders.ClipOrder` as JSON."""

    __tablename__ = "clips"

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(max_length=64, unique=True)
    """The name of its file."""
    request: str = Field(sa_type=Text)
    body: bytes | None = Field(default=None, sa_type=LargeBinary)
    requested_at: float = Field(index=True)

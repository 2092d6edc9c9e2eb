"""The queue of jobs for workers, and their subjects: analyses, clips, draft runs, and tables where people play."""

from enum import StrEnum
from typing import Any, Final

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field

from gangland_web.models.columns import Table, index_where, json_column, key_column, one_of

# The queue of jobs of all kinds.


class JobState(StrEnum):
    """The state of a job: waiting -> leased -> done or failed.

    A job returns to waiting if its lease ends without a result, or if a new request reopens it.
    """

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"


class Job(Table, table=True):
    """A job for a worker, with its lease; see `gangland_web.services.jobs`."""

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
    subject: int  # the id of a row, in the table that `kind` implies
    priority: int = Field(default=0)  # jobs with a lower number are sent first
    state: str = Field(default=JobState.WAITING.value, max_length=16)
    token: str | None = Field(default=None, max_length=64)
    queue: str | None = Field(default=None, max_length=64)  # the broker queue that the job was last sent to
    # The host that last leased the job; None for the analysis workers.
    host_id: int | None = Field(default=None, foreign_key="worker_hosts.id")
    leased_at: float | None = Field(default=None)
    lease_until: float | None = Field(default=None)
    begun_at: float | None = Field(default=None)
    beat_at: float | None = Field(default=None)
    attempt: int = Field(default=0)  # the number of started attempts
    failed_for: str | None = Field(default=None, sa_type=Text)
    created_at: float
    done_at: float | None = Field(default=None)


class Verdict(StrEnum):
    """The site's verdict on a worker's message about a job.

    PART: a part of a result was stored.  STALE: the lease has ended.  EXCLUDED: the host is unknown, stopped or
    revoked.
    """

    ALIVE = "alive"
    PART = "part"
    DONE = "done"
    RETURNED = "returned"
    FAILED = "failed"
    REFUSED = "refused"
    STALE = "stale"
    FORGED = "forged"
    EXCLUDED = "excluded"
    OTHER_RELEASE = "of a different release"


# Analyses: their states, and the reasons for requesting them.


class AnalysisState(StrEnum):
    """The state of an analysis: open -> done or failed.  A new version of the reference reopens an analysis."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


class Requester(StrEnum):
    """The requesters of an analysis, from highest to lowest priority."""

    OWN = "own"  # the player of a private game
    OPENED = "opened"  # a visitor who opened the game's page
    # The site, for a version's sample or a new version of the reference; no user is waiting for it.
    SAMPLE = "sample"


# Analyses: the reference's view of a game, and the cost of each seat's decisions.


class GameAnalysis(Table, table=True):
    """A game that is or will be analyzed: a public game of a rated match, or a private game."""

    __tablename__ = "analyses"
    __table_args__ = (
        one_of("state", AnalysisState, "state"),
        CheckConstraint("(state = 'failed') = (failed_for IS NOT NULL)", name="failed_for"),
        CheckConstraint(
            "state <> 'done' OR (course IS NOT NULL AND figures IS NOT NULL AND done_at IS NOT NULL)", name="done"
        ),
        CheckConstraint("course IS NULL OR (version IS NOT NULL AND complete IS NOT NULL)", name="course"),
        one_of("requested_by", Requester, "requested_by"),
        Index("ix_analyses_state", "state", "requested_by", "requested_at", "game_id"),
        Index("ix_analyses_done", "requested_by", "done_at"),
    )

    game_id: int | None = Field(default=None, sa_column=key_column("games.id"))
    requested_by: str = Field(max_length=16)
    state: str = Field(default=AnalysisState.OPEN.value, max_length=16)
    requested_at: float
    failed_for: str | None = Field(default=None, sa_type=Text)  # the reason why there is no analysis, as shown on pages
    done_at: float | None = Field(default=None)
    cpu_s: float | None = Field(default=None)  # CPU time in seconds, as reported by the worker
    version: str | None = Field(default=None, max_length=64)  # the reference's version that analyzed the game or failed
    complete: bool | None = Field(default=None)  # whether the whole game was analyzed before the time was up
    # The `Analysis` and `GameFigures`, packed by `gangland_ladder.analysis.transfer`. While the analysis is open,
    # `course` may be incomplete; while it is reopened, the old figures are shown.
    course: bytes | None = Field(default=None, sa_type=LargeBinary)
    figures: bytes | None = Field(default=None, sa_type=LargeBinary)
    # A list of `StoredContinuation`: continuations of the game from its costliest decisions; None until they are done.
    continued: bytes | None = Field(default=None, sa_type=LargeBinary)


class AnalysisSeat(Table, table=True):
    """A seat of an analyzed game, and the cost of its decisions; the figures are None until the analysis is done.

    `costs` is a list of {"kind", "phase", "theme", "rounds", "decisions", "marked", "cost"}, with one item for each
    kind of question, third of the game's rounds, and theme.  Decisions without a cost have no theme.  `rounds` are the
    first and the last round with such a decision.  Costs are shares of a win.  If the decisions are amounts, an item
    also has their number "amounts", and the sums "chosen" and "best".
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
    seats: int  # table size
    entry_id: int = Field(foreign_key="entries.id")
    version_id: int = Field(foreign_key="versions.id")
    decisions: int | None = Field(default=None)  # number of judged decisions
    good: int | None = Field(default=None)  # number of decisions that were best or good
    cost: float | None = Field(default=None)
    costs: list[dict[str, Any]] | None = Field(default=None, sa_column=json_column(nullable=True))


# Draft runs: their kinds, states and limits.


class RunKind(StrEnum):
    """The kinds of draft runs."""

    CHECK = "check"
    PLAY = "play"  # the check, then a match against bots that the author chose
    DUEL = "duel"  # the check, then a match against the author's active version of the same name


class RunState(StrEnum):
    """The state of a draft run: open -> done or failed."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


RUN_RETENTION_S: Final = 86_400.0


# Draft runs: checks, matches and duels that an author starts in the editor.


class DraftRun(Table, table=True):
    """A run of a draft, which only its author can see.  It is not rated or counted, and is deleted after a day."""

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
    text: str = Field(sa_type=Text)  # the draft's text when the run was requested
    setup: dict[str, Any] = Field(sa_column=json_column())  # a `services.drafts.RunSetup`
    limits: dict[str, Any] = Field(sa_column=json_column())  # limits of the bots' jails; see `gangland_sandbox.limits`
    state: str = Field(default=RunState.OPEN.value, max_length=16)
    failed_for: str | None = Field(default=None, sa_type=Text)  # why there is no result, as a reason for the author
    # A `gangland_ladder.matches.match_jobs.CheckReport`.
    result: dict[str, Any] | None = Field(default=None, sa_column=json_column(nullable=True))
    # The match that was played, if any.
    match_id: int | None = Field(default=None, foreign_key="matches.id", unique=True)
    created_at: float
    done_at: float | None = Field(default=None)


# Tables where people play, and hints: their states and limits.


class TableState(StrEnum):
    """The state of a table: the bots and the player take turns until the game is over or the table is ended early."""

    BOTS = "bots"
    PERSON = "person"
    OVER = "over"
    ENDED = "ended"


class HintState(StrEnum):
    """The state of a hint: open -> done or failed.  The next request reopens a failed hint."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


OPEN_TABLES: Final = (TableState.BOTS, TableState.PERSON)
MAX_OPEN_TABLES: Final = 50  # maximum number of open tables; a table uses no CPU while its player thinks
MAX_VISITOR_TABLES: Final = MAX_OPEN_TABLES // 2  # for visitors without an account; the rest is reserved for users
# A table whose player has been away for this long is ended when another player needs the space.
AWAY_S: Final = 180.0
PRESENCE_INTERVAL_S: Final = 45.0  # minimum time between updates of `active_at`; the page reports every minute


# Tables where people play, with everything needed to restore a game on any host.


class PlayTable(Table, table=True):
    """A table with one player: a signed-in user, or a browser."""

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
    token: str = Field(max_length=64, unique=True)  # part of the table's URL, random so that it cannot be guessed
    owner_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    visitor: str | None = Field(default=None, max_length=64, index=True)  # SHA-256 of the browser's cookie
    # A `gangland_ladder.playing.table_state.Setup` with the seed, which is hidden until the game is over.
    setup: dict[str, Any] = Field(sa_column=json_column())
    limits: dict[str, Any] = Field(sa_column=json_column())  # limits of the bots' jails; see `gangland_sandbox.limits`
    practice: bool = Field(default=False)  # whether the player may request hints
    state: str = Field(default=TableState.BOTS.value, max_length=16)
    opened_at: float
    active_at: float  # when the last decision was made, or when the player's page last reported
    # The decisions at which a restarted bot did not repeat its recorded answer.
    differing: list[str] = Field(default_factory=list, sa_column=json_column())
    # The reason why the table was ended early, as a sentence for the player.
    ended_for: str | None = Field(default=None, sa_type=Text)
    # The match with the completed game, which replaces the rows.
    match_id: int | None = Field(default=None, foreign_key="matches.id", unique=True)
    # The numbers of the decisions in that game for which the player used a hint.
    hints: list[int] = Field(default_factory=list, sa_column=json_column())
    shared_at: float | None = Field(default=None)  # from then on, anyone with the link can see the game
    shared_name: str | None = Field(default=None, max_length=64)  # the player's name in the shared game; None: "Person"


class PlayRow(Table, table=True):
    """A decision at a table.  Rows are only added, and the primary key prevents a second answer to a question."""

    __tablename__ = "play_rows"
    __table_args__ = (CheckConstraint("number >= 0", name="number"),)

    table_id: int | None = Field(default=None, sa_column=key_column("play_tables.id"))
    number: int | None = Field(default=None, sa_column=key_column())
    content: dict[str, Any] = Field(sa_column=json_column())  # a `gangland_ladder.playing.table_state.Row`
    at: float


class PlayHint(Table, table=True):
    """A hint that a player requested for a question, with the reference's options; each question has at most one."""

    __tablename__ = "play_hints"
    __table_args__ = (
        UniqueConstraint("table_id", "number"),
        one_of("state", HintState, "state"),
        CheckConstraint("number >= 1", name="number"),
        CheckConstraint("(state = 'done') = (options IS NOT NULL)", name="done"),
    )

    id: int | None = Field(default=None, primary_key=True)
    table_id: int = Field(sa_column=Column(Integer, ForeignKey("play_tables.id", ondelete="CASCADE"), nullable=False))
    number: int  # the question's number, counting only the player's questions
    state: str = Field(default=HintState.OPEN.value, max_length=16)
    # A list of `gangland_ladder.playing.hints.HintOption`, best first; empty if the reference has no decision there.
    options: list[Any] | None = Field(default=None, sa_column=json_column(nullable=True))


# Clips: animated images of a game, which a worker creates and a page downloads.


class Clip(Table, table=True):
    """A requested clip: `request` is a `gangland_ladder.viewer.clip_jobs.ClipJob` as JSON."""

    __tablename__ = "clips"

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(max_length=64, unique=True)  # the name of the clip's file
    request: str = Field(sa_type=Text)
    body: bytes | None = Field(default=None, sa_type=LargeBinary)
    requested_at: float = Field(index=True)

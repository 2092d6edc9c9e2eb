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
    """A job for a worker, and its lease; see `gangland_web.services.jobs`.

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
    priority: int = Field(default=0)  # jobs with a smaller one go first
    state: str = Field(default=JobState.WAITING.value, max_length=16)
    token: str | None = Field(default=None, max_length=64)
    queue: str | None = Field(default=None, max_length=64)  # the broker's, for its latest message
    # The latest host; None for the analysis workers.
    host_id: int | None = Field(default=None, foreign_key="worker_hosts.id")
    leased_at: float | None = Field(default=None)
    lease_until: float | None = Field(default=None)
    begun_at: float | None = Field(default=None)
    beat_at: float | None = Field(default=None)
    attempt: int = Field(default=0)
    failed_for: str | None = Field(default=None, sa_type=Text)
    created_at: float
    done_at: float | None = Field(default=None)


class Verdict(StrEnum):
    """The verdict on a message about a job."""

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

    Done or failed ones are reopened for a new version of the reference; the old figures stay until then.
    """

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


class RequestedBy(StrEnum):
    """Why a game is analyzed, in the order of sending."""

    OWN = "own"  # it is private, and its player requested it
    OPENED = "opened"  # a visitor opened its page
    # One of a few games of each version, or judged by an old version of the reference: no user waits, and it gives way.
    SAMPLE = "sample"


OPENED_LIMIT: Final = 200  # waiting games that people opened, and as many of their own


# Analyses: the reference's view of a game, and the cost of each seat's decisions.


class GameAnalysis(Table, table=True):
    """A game that is or will be analyzed: of rated matches only public ones; any private one.

    `course` is the `Analysis` and `figures` the `GameFigures` of `gangland_ladder.analysis`, both packed by
    `gangland_ladder.analysis.transfer`; while it is open, `course` may be a part.
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
    failed_for: str | None = Field(default=None, sa_type=Text)  # why there is no analysis, in a sentence for pages
    done_at: float | None = Field(default=None)
    cpu_s: float | None = Field(default=None)  # CPU seconds as reported by the worker
    version: str | None = Field(default=None, max_length=64)  # of the reference that judged the game, or failed
    complete: bool | None = Field(default=None)  # whether there was time for the whole game
    course: bytes | None = Field(default=None, sa_type=LargeBinary)
    figures: bytes | None = Field(default=None, sa_type=LargeBinary)
    # A list of `Continued`: the game played on from its costliest decisions; None until it is done.
    continued: bytes | None = Field(default=None, sa_type=LargeBinary)


class AnalysisSeat(Table, table=True):
    """A seat of an analyzed game: its entry, and the cost of its decisions; figures are None until known.

    `costs` is a list of {"kind", "phase", "theme", "rounds", "decisions", "marked", "cost"}, one of each kind of
    question, third of the game's rounds and theme that the seat has; those without cost have no theme.  `rounds` are
    the first and the last of those decisions.  Costs are shares of a win.  Where decisions are amounts, there are also
    "amounts", their number, and the sums of the "chosen" and the "best" ones.
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
    seats: int  # of the table
    entry_id: int = Field(foreign_key="entries.id")
    version_id: int = Field(foreign_key="versions.id")
    decisions: int | None = Field(default=None)  # number judged
    good: int | None = Field(default=None)  # number of best or good ones
    cost: float | None = Field(default=None)
    costs: list[dict[str, Any]] | None = Field(default=None, sa_column=json_column(nullable=True))


# Runs of drafts: states and limits.


class RunKind(StrEnum):
    """The kinds of runs of a draft."""

    CHECK = "check"
    PLAY = "play"  # the check, then a match against chosen bots
    DUEL = "duel"  # the check, then a match against its author's active version of that name


class RunState(StrEnum):
    """The state of a run: open -> done or failed."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


RUN_KEPT_S: Final = 86_400.0


# Runs of drafts: checks, matches and duels that the editor asks for.


class DraftRun(Table, table=True):
    """One run of a draft, only for its author: unrated, outside all statistics, and gone after a day with its match.

    `text` is the draft as it was then; `setup` is a `services.draft_runs.RunSetup`, which determines its match job;
    `result` a `gangland_ladder.matches.match_jobs.CheckReport`.
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
    limits: dict[str, Any] = Field(sa_column=json_column())  # of the bots' jails; see `gangland_sandbox.limits`
    state: str = Field(default=RunState.OPEN.value, max_length=16)
    failed_for: str | None = Field(default=None, sa_type=Text)  # why it has no result, in a sentence for its author
    result: dict[str, Any] | None = Field(default=None, sa_column=json_column(nullable=True))
    # The match that was played; None without one.
    match_id: int | None = Field(default=None, foreign_key="matches.id", unique=True)
    created_at: float
    done_at: float | None = Field(default=None)


# Tables of people and hints: states and limits.


class TableState(StrEnum):
    """The state of a table: the bots and the player by turns, until the game is over or the table is ended."""

    BOTS = "bots"
    PERSON = "person"
    OVER = "over"
    ENDED = "ended"


class HintState(StrEnum):
    """The state of a hint: open -> done or failed; a failed one is reopened on the next request."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


OPEN_TABLES: Final = (TableState.BOTS, TableState.PERSON)
MOST_TABLES: Final = 50  # open at a time: while a person thinks, a table takes no CPU
MOST_OF_VISITORS: Final = MOST_TABLES // 2  # without an account, so that people with one find a seat
# A table whose person has been silent for this long is ended when another person needs its place.
AWAY_S: Final = 180.0
SEEN_EVERY_S: Final = 45.0  # between two notes that a person is there; the page's script reports it each minute


# Tables of people, their rows and hints: enough to set a game up again anywhere.


class PlayTable(Table, table=True):
    """A table with one player.

    `setup` is a `gangland_ladder.playing.table_state.Setup`, with the seed, which is hidden before the end.  The table
    belongs to a signed-in player (`owner_id`) or to a browser (`visitor`, the SHA-256 of its cookie's value).
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
    token: str = Field(max_length=64, unique=True)  # its address: random, so that it cannot be guessed
    owner_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    visitor: str | None = Field(default=None, max_length=64, index=True)
    setup: dict[str, Any] = Field(sa_column=json_column())
    limits: dict[str, Any] = Field(sa_column=json_column())  # of the bots' jails; see `gangland_sandbox.limits`
    practice: bool = Field(default=False)  # whether the person may ask for hints
    state: str = Field(default=TableState.BOTS.value, max_length=16)
    opened_at: float
    active_at: float  # when the person or a bot last decided, or the person's page was last seen open
    # Addresses of decisions at which a restarted bot answered otherwise than in its row.
    differing: list[str] = Field(default_factory=list, sa_column=json_column())
    # Why it ended before the game was over, in a sentence for the person.
    ended_for: str | None = Field(default=None, sa_type=Text)
    # The match of its completed game, which replaces its rows.
    match_id: int | None = Field(default=None, foreign_key="matches.id", unique=True)
    # Numbers of the decisions of that game before which a hint was used.
    hints: list[int] = Field(default_factory=list, sa_column=json_column())
    shared_at: float | None = Field(default=None)  # visible to all who know the address since then
    shared_name: str | None = Field(default=None, max_length=64)  # of the person on the shared page; None for "Person"


class PlayRow(Table, table=True):
    """A decision at a table; rows are only added, and by the primary key no question is answered twice.

    `content` is a `gangland_ladder.playing.table_state.Row`.
    """

    __tablename__ = "play_rows"
    __table_args__ = (CheckConstraint("number >= 0", name="number"),)

    table_id: int | None = Field(default=None, sa_column=key_column("play_tables.id"))
    number: int | None = Field(default=None, sa_column=key_column())
    content: dict[str, Any] = Field(sa_column=json_column())
    at: float


class PlayHint(Table, table=True):
    """A hint that a player requested, one a question: the reference's decision there.

    `options` is a list of `gangland_ladder.playing.hints.HintOption`, best first, and empty where the reference has
    none.
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
    number: int  # of the question, among the person's
    state: str = Field(default=HintState.OPEN.value, max_length=16)
    options: list[Any] | None = Field(default=None, sa_column=json_column(nullable=True))


# Clips: pictures of a game that move, made by a worker and kept here until a page takes them.


class Clip(Table, table=True):
    """A requested clip: `request` is a `gangland_ladder.viewer.clip_jobs.ClipJob` as JSON."""

    __tablename__ = "clips"

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(max_length=64, unique=True)  # the name of its file
    request: str = Field(sa_type=Text)
    body: bytes | None = Field(default=None, sa_type=LargeBinary)
    requested_at: float = Field(index=True)

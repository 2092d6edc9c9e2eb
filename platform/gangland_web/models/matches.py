"""Matches with their seats and games, the hosts that play them, and the audits of their results."""

from enum import StrEnum
from typing import Any, Final

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, Text, UniqueConstraint, false
from sqlmodel import Field

from gangland_ladder.proof.auditing import Verdict
from gangland_web.models.columns import Table, bytes_column, index_where, json_column, one_of

# The states of a match. The row is the source of truth; messages to workers are derived from it.


class MatchState(StrEnum):
    """The state of a match: scheduled -> leased -> done or void; back to scheduled when its job returns to waiting."""

    SCHEDULED = "scheduled"
    LEASED = "leased"
    DONE = "done"
    VOID = "void"


PENDING = (MatchState.SCHEDULED.value, MatchState.LEASED.value)  # not yet played, or not yet recorded
OVER = (MatchState.DONE.value, MatchState.VOID.value)


class Purpose(StrEnum):
    """The purposes of matches, in sending order."""

    # Before trials are planned, a worker imports a new version and asks it for decisions. No game is played.
    CHECK = "check"
    TRIAL = "trial"
    CHALLENGE = "challenge"
    TOURNAMENT = "tournament"
    LADDER = "ladder"
    AUDIT = "audit"  # a replay for comparison, which is never shown and does not change a result


class PrivatePurpose(StrEnum):
    """The purposes of matches that only their players may see; such matches are never scheduled, listed or counted."""

    DRAFT = "draft"  # a run of a draft, see `DraftRun.match_id`
    TABLE = "table"  # a player's game against bots, see `PlayTable.match_id`


RATED = (Purpose.TOURNAMENT, Purpose.LADDER)  # sent after trials and challenges

ATTEMPTS = 3  # a match becomes void after this many attempts without a result


class End(StrEnum):
    """How a match ended: it was played, or it is void for one of these reasons."""

    DONE = "done"
    NOT_PASSED = "void_check"
    WITHDRAWN = "void_withdrawn"
    QUARANTINE = "void_quarantine"
    PLATFORM = "void_platform"


# Matches with their seats and games.


_RATING_ORDER_RULE = (
    "CASE WHEN rating_order IS NULL THEN purpose NOT IN ('tournament', 'ladder') OR is_final"
    " OR state IN ('scheduled', 'void') ELSE rating_order >= 1 AND purpose IN ('tournament', 'ladder')"
    " AND NOT is_final END"
)


class Match(Table, table=True):
    """A number of blocks between the same entries, which are scheduled, leased and rated together.

    `seed_digest` (hex) identifies the frozen entries.  Together with the tournament's secret, the match number and the
    block, it determines each block's seed, so a second run has the same dice.  `rating_order` is the match's position
    in the order of rating: in a tournament, it is the match number; in a ladder, it is assigned when the match is first
    sent and never changes.
    """

    __tablename__ = "matches"
    __table_args__ = (
        UniqueConstraint("tournament_id", "number"),
        one_of("state", MatchState, "state"),
        one_of("purpose", (*Purpose, *PrivatePurpose), "purpose"),
        CheckConstraint("(purpose IN ('draft', 'table')) = (key IS NOT NULL)", name="private_key"),
        CheckConstraint("key IS NULL OR state = 'done'", name="private_done"),
        CheckConstraint("(number >= 1) = (purpose NOT IN ('check', 'audit'))", name="number_from_one"),
        CheckConstraint(_RATING_ORDER_RULE, name="rating_order"),
        CheckConstraint("trimmed BETWEEN 0 AND 2", name="trimmed"),
        CheckConstraint("attempt BETWEEN 0 AND 3", name="attempt"),
        CheckConstraint("(purpose IN ('check', 'trial')) = (trial_version_id IS NOT NULL)", name="trial_version"),
        CheckConstraint("(purpose = 'ladder') = (ladder_day_id IS NOT NULL)", name="ladder_day"),
        CheckConstraint("(purpose = 'challenge') = (challenger_id IS NOT NULL)", name="challenger"),
        CheckConstraint("(purpose = 'audit') = (audit_of IS NOT NULL)", name="audit"),
        CheckConstraint("purpose = 'tournament' OR NOT is_final", name="is_final"),
        CheckConstraint(
            "CASE state WHEN 'leased' THEN sent_at IS NOT NULL WHEN 'done' THEN TRUE ELSE sent_at IS NULL END",
            name="sent_at",
        ),
        CheckConstraint("(state = 'void') = (void_reason IS NOT NULL)", name="void_reason"),
        CheckConstraint("(state IN ('done', 'void')) = (done_at IS NOT NULL)", name="done_at"),
        CheckConstraint("(state = 'done') = (digest IS NOT NULL)", name="done_digest"),
        Index("ix_matches_queue", "state", "purpose", "id"),
        Index("ix_matches_sent", "state", "purpose", "sent_at"),
        index_where("ix_matches_over", "purpose", "done_at", "id", where="state = 'done'"),
        index_where("ix_matches_latest", "tournament_id", "done_at", "id", where="state = 'done'"),
        Index("ix_matches_fold", "tournament_id", "state", "rating_order", "id"),
        Index("uq_matches_rating_order", "tournament_id", "rating_order", unique=True),
        index_where("uq_matches_final", "tournament_id", where="is_final", unique=True),
        index_where("ix_matches_trimmed", "trimmed", "done_at", where="state = 'done'"),
        Index("ix_matches_trial_version_id", "trial_version_id"),
        Index("ix_matches_ladder_day", "ladder_day_id", "state", "number"),
        Index("ix_matches_host", "host_id", "done_at"),
        index_where(
            "ix_matches_progress", "tournament_id", "done_at", where="purpose = 'tournament' AND done_at IS NOT NULL"
        ),
        index_where("ix_matches_challenger", "challenger_id", "created_at", where="challenger_id IS NOT NULL"),
    )

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournaments.id")
    number: int
    purpose: str = Field(max_length=16)
    # Part of a private match's URL, random so that it cannot be guessed.
    key: str | None = Field(default=None, max_length=32, unique=True)
    trial_version_id: int | None = Field(default=None, foreign_key="versions.id")
    # For a ladder's match, the day whose secret determines the dice.
    ladder_day_id: int | None = Field(default=None, foreign_key="ladder_days.id")
    challenger_id: int | None = Field(default=None, foreign_key="users.id")  # the user who requested a challenge
    seed_digest: str = Field(max_length=64)
    state: str = Field(default=MatchState.SCHEDULED.value, max_length=16)
    sent_at: float | None = Field(default=None)  # when it was last sent; None if it is scheduled or void
    attempt: int = Field(default=0)  # the number of started attempts that have ended
    void_reason: str | None = Field(default=None, sa_type=Text)
    created_at: float
    done_at: float | None = Field(default=None)
    seconds: float | None = Field(default=None)  # the duration reported by the worker, which is shown but not trusted
    digest: str | None = Field(default=None, max_length=64)
    python: str | None = Field(default=None, max_length=8)  # minor version of Python, such as 3.11; None in old rows
    # The parts that were deleted (`services.retention.Trim`): 1 for the bots' logs, 2 for logs and replays.
    trimmed: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    # The host that last leased the match; only this host's result counts.
    host_id: int | None = Field(default=None, foreign_key="worker_hosts.id")
    # The match that this audit replays, with the code, seats, limits and dice of that match.
    audit_of: int | None = Field(default=None, foreign_key="matches.id")
    rating_order: int | None = Field(default=None)
    # Whether the match is the final table of its tournament, which has its own seats and blocks and is not rated.
    is_final: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    # The CPU time in seconds that the worker reported, which decides the ladders' turns (`services.ladder_queue`).
    cpu_s: float | None = Field(default=None)


class MatchSeat(Table, table=True):
    """An entry's seat in a match, with its result, and its rating before and after the match.

    A seat of a private match has a name instead of an entry, so that lists and sums of entries leave it out.
    """

    __tablename__ = "match_seats"
    __table_args__ = (
        UniqueConstraint("entry_id", "match_id"),
        CheckConstraint("position BETWEEN 0 AND 3", name="position"),
        CheckConstraint("(entry_id IS NULL) = (name IS NOT NULL)", name="entry_or_name"),
        CheckConstraint("(mean_place_num IS NULL) = (mean_place_den IS NULL)", name="mean_place"),
        CheckConstraint("mean_place_den IS NULL OR mean_place_den > 0", name="mean_place_den"),
        CheckConstraint("(mean_place_num IS NULL) = (luck IS NULL)", name="luck"),
        CheckConstraint("(luck IS NULL) = (adjusted IS NULL)", name="adjusted"),
        CheckConstraint("(mu_before IS NULL) = (mu_after IS NULL)", name="mu_folded"),
        CheckConstraint("(sigma_before IS NULL) = (sigma_after IS NULL)", name="sigma_folded"),
        index_where("ix_match_seats_faults", "entry_id", "match_id", where="faults > 0"),
        {"sqlite_with_rowid": False},  # a seat is always looked up by its match
    )

    match_id: int = Field(primary_key=True, foreign_key="matches.id")
    position: int = Field(primary_key=True)
    # NULL only in private matches, so that queries that join seats with entries leave these out.
    entry_id: int = Field(sa_column=Column(Integer, ForeignKey("entries.id"), nullable=True))
    name: str | None = Field(default=None, max_length=128)
    # The mean place over the match's games, as an exact fraction.
    mean_place_num: int | None = Field(default=None)
    mean_place_den: int | None = Field(default=None)
    # The mean luck, and the mean place adjusted for it, as the nearest floats (`gangland_ladder.analysis.luck`).
    luck: float | None = Field(default=None)
    adjusted: float | None = Field(default=None)
    wins: int = Field(default=0)
    faults: int = Field(default=0)
    # Numbers of decisions by duration (`gangland_ladder.matches.match_jobs`), as the worker reported them; not trusted.
    think: dict[str, int] | None = Field(default=None, sa_column=json_column(nullable=True))
    mu_before: float | None = Field(default=None)
    sigma_before: float | None = Field(default=None)
    mu_after: float | None = Field(default=None)
    sigma_after: float | None = Field(default=None)


class PlayedGame(Table, table=True):
    """A game of a match: its replay, and its players and results by seat."""

    __tablename__ = "games"
    __table_args__ = (
        UniqueConstraint("match_id", "block", "rotation"),
        CheckConstraint("block >= 0 AND rotation >= 0", name="coordinates"),
        CheckConstraint("length(views) = 64", name="views"),
    )

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="matches.id")
    block: int
    rotation: int
    replay: str = Field(sa_type=Text)  # without decisions, if the match's replays were deleted (`Match.trimmed`)
    views: str = Field(max_length=64)  # digest of the observations that the bots received
    seating: list[int] = Field(sa_column=json_column())  # for each seat, the entry's position in the match
    places: list[int] = Field(sa_column=json_column())  # by seat
    luck: list[float] = Field(sa_column=json_column())  # by seat, in the game's unit (`gangland.luck`)
    leads: int | None = Field(default=None)  # number of changes of the lead; None if not counted
    faults: list[dict[str, Any]] = Field(sa_column=json_column())  # {"seat", "kind", "message", "round", "decision"}
    # Only for owners: JSON compressed with zstd, with a list of parts for each position in the match. A part
    # (`LogPart`) is [decision or null, text].
    logs: bytes | None = Field(default=None, sa_column=bytes_column(nullable=True))


# Worker hosts.


NAME_CHARS = 32
MAX_SLOTS = 1000  # more than one record worker can keep busy


class WorkerHost(Table, table=True):
    """A machine that plays matches, identified by its own credential on the broker.

    Rows stay after revocation, since matches refer to the host that played them.  A revoked or stopped host gets no
    matches, and its results do not count.  The operator revokes hosts; audits stop them.
    """

    __tablename__ = "worker_hosts"
    __table_args__ = (
        CheckConstraint(f"length(name) BETWEEN 1 AND {NAME_CHARS}", name="name_length"),
        CheckConstraint("length(password_sha256) = 64", name="password_sha256"),
        CheckConstraint(f"slot_limit BETWEEN 1 AND {MAX_SLOTS}", name="slot_limit"),
        CheckConstraint("(stopped_at IS NULL) = (stopped_for IS NULL)", name="stopped"),
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=NAME_CHARS, unique=True)
    password_sha256: str = Field(max_length=64)  # in hexadecimal digits
    slot_limit: int = Field(default=MAX_SLOTS)  # the maximum number of matches that the host may play at a time
    created_at: float
    revoked_at: float | None = Field(default=None)
    stopped_at: float | None = Field(default=None)
    stopped_for: str | None = Field(default=None, sa_type=Text)  # why it was stopped, as a sentence for the operator
    last_seen_at: float | None = Field(default=None)  # when the host last announced a slot, to within half a minute
    # When audits made the host a suspect, but not enough to stop it; since then, more of its results are audited.
    suspected_at: float | None = Field(default=None)
    # The host's matches since this time must be replayed; None once all replays are planned.
    doubted_from: float | None = Field(default=None)
    # When the operator last resumed the host after a stop; earlier audits do not count against it.
    trusted_from: float | None = Field(default=None)


# Audits: their states and their time limit.


class AuditState(StrEnum):
    """The state of an audit: open -> agreed, differed or lapsed."""

    OPEN = "open"
    AGREED = "agreed"  # all comparable parts were equal
    DIFFERED = "differed"  # a bot decided differently, and each difference has a verdict
    LAPSED = "lapsed"  # undecided, because the audit could not be played, or not in time


AUDIT_S: Final = 86_400.0  # an audit lapses after this time, so that no tournament waits for it forever


# Audits: replayed matches, and the decisions that differed.


class Audit(Table, table=True):
    """A match with a recorded result that was drawn for an audit.

    It is replayed in matches of their own (`Match.audit_of`): a second play, and a third one if the second differs.
    """

    __tablename__ = "audits"
    __table_args__ = (
        one_of("state", AuditState, "state"),
        CheckConstraint("(state = 'open') = (ended_at IS NULL)", name="ended_at"),
        CheckConstraint("(state = 'lapsed') = (lapsed_for <> '')", name="lapsed_for"),
        CheckConstraint("length(digest) = 64", name="digest"),
        CheckConstraint("games_compared >= 0 AND games_left_out >= 0", name="games"),
        index_where("uq_audits_one_open", "match_id", where="state = 'open'", unique=True),
        Index("ix_audits_state", "state", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="matches.id", index=True)
    digest: str = Field(max_length=64)  # digest of the audited result
    state: str = Field(default=AuditState.OPEN.value, max_length=16)
    lapsed_for: str = Field(default="", sa_type=Text)  # the reason why the audit is undecided
    # The hosts that played; None if a play had no named host.
    host_id: int | None = Field(default=None, foreign_key="worker_hosts.id", index=True)
    second_id: int | None = Field(default=None, foreign_key="matches.id")
    second_host_id: int | None = Field(default=None, foreign_key="worker_hosts.id")
    third_id: int | None = Field(default=None, foreign_key="matches.id")
    third_host_id: int | None = Field(default=None, foreign_key="worker_hosts.id")
    games_compared: int = Field(default=0)
    # Rotations not compared to the end, because of a time or memory fault, or because of an earlier difference.
    games_left_out: int = Field(default=0)
    created_at: float
    ended_at: float | None = Field(default=None)


class AuditDifference(Table, table=True):
    """The first difference of a rotation between two plays of a match."""

    __tablename__ = "audit_differences"
    __table_args__ = (
        UniqueConstraint("audit_id", "rotation"),
        one_of("verdict", Verdict, "verdict"),
        CheckConstraint("block >= 0 AND rotation >= 0 AND round >= 0", name="coordinates"),
        CheckConstraint("(blamed_id IS NOT NULL) = (verdict IN ('recorded', 'again'))", name="blamed"),
    )

    id: int | None = Field(default=None, primary_key=True)
    audit_id: int = Field(foreign_key="audits.id")
    entry_id: int = Field(foreign_key="entries.id", index=True)
    rotation: int
    block: int
    round: int
    # The decision's number in the game; None if a bot failed before or after all of the game's decisions.
    decision: int | None = Field(default=None)
    verdict: str = Field(default=Verdict.OPEN.value, max_length=16)
    # The host whose play differs from both other plays.
    blamed_id: int | None = Field(default=None, foreign_key="worker_hosts.id", index=True)

"""Queries for the site's status: the home page, queues, health and audits."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, case, literal, literal_column, select, union_all
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func
from sqlmodel import select as select_model

from gangland_ladder.common.release import this_release
from gangland_ladder.proof.auditing import Verdict
from gangland_ladder.tournaments.lifecycle import MIN_STEP, State, may_record
from gangland_web.base.formats import DAY_S, now_s, timestamp
from gangland_web.base.text import shown
from gangland_web.broker.link import CAUSES, RELEASE, ask_for_page, cause_label, count_slots, count_stopped
from gangland_web.models import matches
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database, can_write
from gangland_web.models.jobs import AnalysisState, GameAnalysis, Job, Requester
from gangland_web.models.matches import ATTEMPTS, PENDING, Match, MatchState, Purpose
from gangland_web.models.tournaments import Entry, StoredStandings, Tournament
from gangland_web.queries.ladders import LadderRow, LadderState, climbs
from gangland_web.queries.match_lists import ListedMatch, latest_matches
from gangland_web.queries.tables import Column, Count, Kind, Model, Moment, columns_of, model_from, several, table_of
from gangland_web.queries.visibility import results_visible
from gangland_web.services.analyses import ANALYSIS, OWN_PRIORITY
from gangland_web.services.host_audits import Tally, tallies
from gangland_web.services.jobs import OPEN

# The home page: a few SQL statements, each of which uses an index.

SEARCHED_MATCHES = 40  # the number of latest ladder matches that are searched for upsets
_RUNNING = (State.PLAYING.value, State.PAUSED.value, State.FROZEN.value)
_COMING = (State.OPEN.value, State.ANNOUNCED.value)
_OVER = (State.FINISHED.value, State.REVEALED.value)
RESULT_SHOWN_S = 14 * DAY_S  # how long the latest finished event is shown


@dataclass(frozen=True, slots=True)
class Result:
    """A finished tournament, as the home page shows it."""

    event: Tournament
    is_shown: bool
    winners: tuple[tuple[int, str], ...]  # number and name of each bot in first place; empty under an embargo


class Climber(NamedTuple):
    """A bot that gained `places` ranks on a ladder since the start of yesterday."""

    game: str
    row: LadderRow
    places: int


def current_events(db: Session) -> tuple[Tournament | None, Tournament | None]:
    """Return the current tournament, and the tournament that begins next.

    A tournament that is being played comes before paused and frozen ones, then the newest comes first.
    """
    tournaments = db.exec(_EVENTS).all()
    running = [event for event in tournaments if event.state in _RUNNING]
    coming = [event for event in tournaments if event.state in _COMING]
    now = max(running, key=lambda event: (event.state == State.PLAYING, event.id), default=None)
    upcoming = min(coming, key=lambda event: (event.starts_at or float("inf"), event.id), default=None)
    return now, upcoming


def latest_results(db: Session) -> list[Result]:
    """Return the latest finished tournament of the last two weeks, together with the others of the same event."""
    finished = db.exec(_FINISHED.where(col(Tournament.finished_at) >= now_s() - RESULT_SHOWN_S)).all()
    last = max(finished, key=lambda event: (event.finished_at or 0.0, event.id), default=None)
    if last is None:
        return []
    same_event = (
        [event for event in finished if event.event_id == last.event_id] if last.event_id is not None else [last]
    )
    return [_result(db, event) for event in sorted(same_event, key=lambda event: row_id(event.id))]


def _result(db: Session, event: Tournament) -> Result:
    visible = results_visible(event, None)
    standings = db.get(StoredStandings, event.id) if visible else None
    first = [row["entry"] for row in standings.body["rows"] if row["rank"] == 1] if standings is not None else []
    winners: Any = db.connection().execute(_BOTS, {"entries": first}).all() if first else ()
    return Result(event, visible, tuple((number, name) for number, name in winners))


def recent_matches(db: Session) -> tuple[ListedMatch, ...]:
    """Return the latest finished ladder matches with at least two bots, newest first."""
    return tuple(match for match in latest_matches(db, SEARCHED_MATCHES) if len(match.bots) > 1)


def climbers(db: Session, game: str, state: LadderState, rows: Sequence[LadderRow]) -> list[Climber]:
    """Return the climbers among these rows of a ladder, largest climb first."""
    ranks_gained = climbs(db, state, rows)
    climbing = [Climber(game, row, ranks_gained[row.entry]) for row in rows if ranks_gained.get(row.entry, 0) > 0]
    return sorted(climbing, key=lambda each: (-each.places, each.row.rank))


_PUBLIC = select_model(Tournament).where(
    col(Tournament.kind) == literal_column("'tournament'"),
    col(Tournament.announced_at).is_not(None),
    col(Tournament.rehearsal_of).is_(None),
)
_EVENTS = _PUBLIC.where(col(Tournament.state).in_([literal_column(f"'{state}'") for state in (*_RUNNING, *_COMING)]))
_FINISHED = _PUBLIC.where(col(Tournament.state).in_([literal_column(f"'{state}'") for state in _OVER]))
_BOTS: Any = (
    select(col(Bot.id), col(Bot.name))
    .join(Version, col(Version.bot_id) == Bot.id)
    .join(Entry, col(Entry.version_id) == Version.id)
    .where(col(Entry.id).in_(bindparam("entries", expanding=True)))
    .order_by(col(Entry.id))
)


# Queues and the latest platform faults: a few SQL statements, each of which uses an index.

RECENT_VOIDS = 50  # the number of latest void ladder matches that are searched for platform faults
MAX_INCIDENTS = 5
_STEP_S = 3600
_TOURNAMENT_PURPOSES = (Purpose.TOURNAMENT, Purpose.AUDIT)


@dataclass(frozen=True, slots=True)
class Queue:
    """How many matches of one purpose are waiting and leased; `since`: when the oldest waiting one was queued."""

    purpose: str
    waiting: int
    playing: int
    since: float | None


class AnalysisQueue(Model):
    """How many games are waiting for analysis, are being analyzed, or had a failed last attempt.

    A game that is being retried after a failure is counted as failed too.
    """

    waiting: Count
    leased: Count
    failed: Count


@dataclass(frozen=True, slots=True)
class Incident:
    """A ladder match that was started `ATTEMPTS` times without a result, which is a platform fault."""

    match_id: int
    reason: str
    at: float


def queues_of(db: Session) -> tuple[Queue, ...]:
    """Return the queues with exact counts, which only administrators may see, in the order they are served."""
    counts: Any = {(row.state, row.purpose): row.count for row in db.connection().execute(_COUNTS)}
    since: Any = {row.purpose: row.created_at for row in db.connection().execute(_FIRST)}
    queues = []
    for purpose in map(str, Purpose):
        waiting, playing = (counts.get((state, purpose), 0) for state in PENDING)
        queues.append(Queue(purpose, waiting, playing, since.get(purpose)))
    return tuple(queues)


def public_queues(db: Session, now: float) -> tuple[Queue, ...]:
    """Return the queues for the public.

    While a tournament under embargo is being played, the numbers of tournament matches and audits are rounded up to a
    multiple of `MIN_STEP`, and their times down to the hour, to hide when a match ends.
    """
    queues = queues_of(db)
    embargoed = col(Tournament.embargo_until) > now
    playing = col(Tournament.state).in_([state.value for state in State if may_record(state)])
    if db.connection().execute(select(col(Tournament.id)).where(embargoed, playing).limit(1)).first() is None:
        return queues
    return tuple(_rounded_queue(queue) if queue.purpose in _TOURNAMENT_PURPOSES else queue for queue in queues)


def _rounded_queue(queue: Queue) -> Queue:
    waiting, playing = (-(-count // MIN_STEP) * MIN_STEP for count in (queue.waiting, queue.playing))
    since = None if queue.since is None else queue.since - queue.since % _STEP_S
    return replace(queue, waiting=waiting, playing=playing, since=since)


def incidents_of(db: Session, now: float, days: int = 7) -> tuple[Incident, ...]:
    """Return the platform faults of the last `days` days, newest first, at most `MAX_INCIDENTS`."""
    void = db.connection().execute(_VOID).all()
    recent_rows = [row for row in void if row.attempt >= ATTEMPTS and row.done_at >= now - days * DAY_S]
    return tuple(Incident(row.id, row.void_reason, row.done_at) for row in recent_rows[:MAX_INCIDENTS])


def analysis_queue_of(db: Session) -> AnalysisQueue:
    """Return the analysis queue, counting only games with public results."""
    rows: Any = db.connection().execute(_ANALYSES).all()
    waiting, leased = (sum(row.count for row in rows if row.state == state) for state in OPEN)
    retried = sum(row.count for row in rows if row.ended > 0)
    return AnalysisQueue(waiting, leased, retried + db.connection().execute(_FAILED).scalar_one())


def _equals_literal(column: Any, value: str) -> Any:
    return col(column) == literal_column(f"'{value}'")


def _first(purpose: Purpose) -> Any:
    waiting = select(literal(purpose.value).label("purpose"), col(Match.created_at))
    waiting = waiting.where(_equals_literal(Match.state, MatchState.SCHEDULED), _equals_literal(Match.purpose, purpose))
    return select(waiting.order_by(col(Match.id)).limit(1).subquery())


_COUNTS = (
    select(col(Match.state), col(Match.purpose), func.count().label("count"))
    .where(col(Match.state).in_(PENDING))
    .group_by(col(Match.state), col(Match.purpose))
)
# Attempts at an analysis that had no result.
_ENDED = col(Job.attempt) - case((col(Job.begun_at).is_(None), 0), else_=1)
_ANALYSES = (
    select(col(Job.state), _ENDED.label("ended"), func.count().label("count"))
    .where(col(Job.kind) == ANALYSIS.name, col(Job.state).in_(OPEN), col(Job.priority) > OWN_PRIORITY)
    .group_by(col(Job.state), "ended")
)
_FAILED = select(func.count()).where(
    col(GameAnalysis.state) == AnalysisState.FAILED.value, col(GameAnalysis.requested_by) != Requester.OWN.value
)
_FIRST = union_all(*(_first(purpose) for purpose in Purpose))
_VOID = (
    select(col(Match.id), col(Match.attempt), col(Match.void_reason), col(Match.done_at))
    .where(_equals_literal(Match.state, MatchState.VOID), _equals_literal(Match.purpose, Purpose.LADDER))
    .order_by(col(Match.id).desc())
    .limit(literal_column(str(RECENT_VOIDS)))
)


# Health: the reports of the database and the broker.

log = logging.getLogger("gangland_web.health")

QUEUES: Final = table_of(
    *("queues", Queue, "/status", "The match queues; the rows appear only in the CSV."),
    Column("purpose", "Matches", cell="queue"),
    *several(Kind.WHOLE, waiting="Waiting", playing="Sent to workers"),
    Column("since", "Waiting since", Kind.MOMENT, "queue_since"),
    phone=("Matches", "Waiting", "Sent to workers"),
)


@dataclass(frozen=True, slots=True)
class Stopped:
    """Stopped workers, with the failing probe (or `RELEASE`) and the fix."""

    probe: str
    fix: str
    workers: int


@dataclass(frozen=True, slots=True)
class Health:
    """Which parts of the site respond, and how much work is queued; None if the source did not respond."""

    database: bool
    broker: bool
    slots: int | None
    queues: tuple[Queue, ...] | None
    stopped: tuple[Stopped, ...] = ()
    incidents: tuple[Incident, ...] = ()
    analyses: AnalysisQueue | None = None
    writes: bool = True

    @property
    def ok(self) -> bool:
        """Whether all parts of the site work."""
        return self.database and self.writes and self.broker

    @property
    def scheduled(self) -> int | None:
        """The number of waiting matches."""
        return None if self.queues is None else sum(queue.waiting for queue in self.queues)

    @property
    def playing(self) -> int | None:
        """The number of leased matches."""
        return None if self.queues is None else sum(queue.playing for queue in self.queues)

    @property
    def since(self) -> float | None:
        """When the longest-waiting match was queued; None if no match is waiting."""
        return min((queue.since for queue in self.queues or () if queue.since is not None), default=None)


class QueueDetail(Model):
    """The matches of one purpose; `oldest_s` is the time since the oldest waiting one was queued."""

    purpose: str
    waiting: Count
    playing: Count
    oldest_s: float | None


class StatusDetail(Model):
    """The health of the site and its queues; null where it is not known.  `maintenance` is the reason for it."""

    database: bool
    writes: bool
    broker: bool
    slots: Count | None
    playing: Count | None
    waiting: Count | None
    queues: list[QueueDetail] | None
    analyses: AnalysisQueue | None
    maintenance: str | None
    stopped: list[Stopped]


def status_detail(health: Health, maintenance: str | None) -> StatusDetail:
    """Return the health of the site for the API."""
    now = now_s()
    queues = [
        model_from(QueueDetail, queue, oldest_s=None if queue.since is None else round(max(0.0, now - queue.since), 1))
        for queue in health.queues or ()
    ]
    return model_from(
        StatusDetail,
        health,
        waiting=health.scheduled,
        queues=None if health.queues is None else queues,
        maintenance=maintenance,
        stopped=list(health.stopped),
    )


def health_now(database: Database, redis_url: str | None) -> Health:
    """Check the database and the broker."""
    work = _read_work(database)
    workers = None if redis_url is None else _read_workers(redis_url)
    queues, incidents, analyses = work or (None, (), None)
    slots, stopped = workers or (None, ())
    writes = work is not None and can_write(database)
    return Health(work is not None, workers is not None, slots, queues, stopped, incidents, analyses, writes)


def _read_work(database: Database) -> tuple[tuple[Queue, ...], tuple[Incident, ...], AnalysisQueue] | None:
    try:
        with database.read() as db:
            return public_queues(db, now := now_s()), incidents_of(db, now), analysis_queue_of(db)
    except SQLAlchemyError as error:
        log.error("the database did not respond: %s", type(error).__name__)
        return None


def _read_workers(redis_url: str) -> tuple[int, tuple[Stopped, ...]] | None:
    answer = ask_for_page(redis_url, lambda client: (count_slots(client), count_stopped(client, CAUSES)))
    if answer is None:
        return None
    slots, stopped = answer
    return slots, tuple(Stopped(*_label_and_fix(cause), workers) for cause, workers in stopped.items())


def _label_and_fix(cause: str) -> tuple[str, str]:
    fix = f"{CAUSES[RELEASE]}. The site is {this_release()}." if cause == RELEASE else CAUSES[cause]
    return cause_label(cause), fix


# Audits: totals, worker hosts, and the latest differences.

DIFFERENCES_SHOWN = 50


class AuditedHost(Model):
    """A worker host with the results of its audits.

    `owners` counts the owners whose bots were compared; `against`, those whose bots played differently when the match
    was replayed.  `state` is playing, stopped or revoked.
    """

    host: str
    state: str
    audits: Count
    left_out: Count
    owners: Count
    against: Count
    stopped_at: Moment | None


class AuditsDetail(Model):
    """The percentage of matches that are audited, the number of audits in each state, and the hosts."""

    percent: Count
    audits: dict[str, Count]
    hosts: list[AuditedHost]


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference that an audit found, as administrators see it."""

    match_id: int
    bot_id: int
    bot: str
    version: int
    verdict: Verdict
    blamed: str | None
    at: float


def audit_totals(db: Session) -> dict[str, int]:
    """Return the number of audits in each state, except audits of matches under embargo."""
    query = select_model(matches.Audit.state, func.count()).where(_public_audits()).group_by(col(matches.Audit.state))
    counts = dict(db.exec(query).all())
    return {state.value: counts.get(state.value, 0) for state in matches.AuditState}


HOSTS: Final = table_of(
    *("audits", AuditedHost, "", ""),
    *columns_of(
        AuditedHost,
        host="Host",
        state="Now",
        audits="Results audited",
        left_out="Not compared",
        owners="Owners compared",
        against="Owners with differences",
        stopped_at="Stopped",
    ),
    phone=("Host", "Now", "Results audited"),
)


def audited_hosts(db: Session) -> list[AuditedHost]:
    """Return all hosts, including revoked ones, by name, with their audits except those of matches under embargo."""
    by_host = tallies(db, _public_audits())
    hosts = db.exec(select_model(matches.WorkerHost).order_by(col(matches.WorkerHost.name))).all()
    return [_audited_host(host, by_host[row_id(host.id)]) for host in hosts]


def _audited_host(host: matches.WorkerHost, tally: Tally) -> AuditedHost:
    state = "playing" if host.stopped_at is None else "stopped"
    return AuditedHost(
        host=shown(host.name),
        state=state if host.revoked_at is None else "revoked",
        audits=tally.audits,
        left_out=tally.left_out,
        owners=len(tally.owners),
        against=len(tally.differing),
        stopped_at=timestamp(host.stopped_at),
    )


def latest_differences(db: Session) -> Sequence[Difference]:
    """Return the latest differences, newest first."""
    query = (
        select_model(
            matches.Audit.match_id, Bot.id, Bot.name, Version.number, matches.AuditDifference, matches.WorkerHost.name
        )  # type: ignore[call-overload]
        .select_from(matches.AuditDifference)
        .join(matches.Audit, col(matches.Audit.id) == matches.AuditDifference.audit_id)
        .join(Entry, col(Entry.id) == matches.AuditDifference.entry_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .join(matches.WorkerHost, col(matches.WorkerHost.id) == matches.AuditDifference.blamed_id, isouter=True)
        .add_columns(col(matches.Audit.created_at))
        .order_by(col(matches.AuditDifference.id).desc())
        .limit(DIFFERENCES_SHOWN)
    )
    return [
        Difference(match, bot, name, version, Verdict(row.verdict), blamed, at)
        for match, bot, name, version, row, blamed, at in db.exec(query).all()
    ]


def _public_audits() -> Any:
    embargoed = select_model(Match.id).join(Tournament, col(Tournament.id) == Match.tournament_id)
    embargoed = embargoed.where(col(Match.id) == matches.Audit.match_id, col(Tournament.embargo_until) > now_s())
    return ~embargoed.correlate(matches.Audit).exists()

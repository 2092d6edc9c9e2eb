"""The record worker, which records results and updates ratings (`python -m gangland_web.workers.records`)."""

import gc
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from celery import Celery, bootsteps
from kombu.exceptions import OperationalError as BrokerOperationalError
from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select

from gangland_ladder.common.release import this_release
from gangland_ladder.matches.match_jobs import Result, limit_s
from gangland_web import metrics
from gangland_web.base.secrecy import forget_secrets, keep_private
from gangland_web.broker import gate, link, names
from gangland_web.broker.access import BrokerUsers, HostAccess, analysis_password, stored_hash
from gangland_web.models.database import Database
from gangland_web.models.jobs import Job, Verdict
from gangland_web.models.matches import RATED, Match, Purpose
from gangland_web.models.site import Fact, fact, maintenance, store_fact
from gangland_web.process import exit_status, log_ids, log_match, set_up_logging
from gangland_web.services import clips, drafts, play, results, retention, schedules, seasons, settling, trials
from gangland_web.services.analyses import ANALYSIS, plan_analyses
from gangland_web.services.dispatch import JobBroker, dispatch, is_user_waiting
from gangland_web.services.final_tables import advance_tournaments
from gangland_web.services.hall_of_fame import count_records
from gangland_web.services.host_audits import Auditor
from gangland_web.services.jobs import Receipt, Report, record_message, requeue_all, sweep_jobs
from gangland_web.services.matches import match_end
from gangland_web.services.organizing import carry_out_actions
from gangland_web.services.tournaments import run_tournaments
from gangland_web.services.worker_hosts import broker_access, playing_hosts, update_last_seen
from gangland_web.settings import Settings, read_settings
from gangland_web.workers.celery_app import make_celery, queue_declaration, run_worker, send

log = logging.getLogger("gangland_web.workers.records")


# The recorder, which handles messages and scheduled tasks.

DATABASE_WAIT_S = 120.0  # how long a message waits for the database; after that, the job is run again
DATABASE_PAUSE_S = 1.0
# Interval between searches for games to analyze if the last search found none. Games that visitors open do not wait for
# a search.
SEARCH_INTERVAL_S = 30.0
DELETION_INTERVAL_S = 600.0  # interval between deletions of old data

BROKER_ERRORS = (RedisError, BrokerOperationalError)

ReturnT = TypeVar("ReturnT")

# A function that allows these hosts on the broker, listens to their queues, and removes all other hosts.
AdmitHosts = Callable[[Sequence[HostAccess]], None]


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """Settings of analyses."""

    workers: int = 1  # processes; 0 turns analyses off
    sample: int = 12  # games per active version, game and table size
    budget_s: float = 7200.0  # CPU seconds for samples in 24 hours


class Recorder:
    """Handles the record worker's messages and scheduled tasks.  All methods are idempotent."""

    def __init__(
        self,
        database: Database,
        broker: JobBroker,
        *,
        rounds: int = schedules.ROUNDS,
        counts: metrics.Counts | None = None,
        periods: retention.RetentionPeriods | None = None,
        admit_hosts: AdmitHosts | None = None,
        audit_percent: int = 0,
        analyses: AnalysisSettings | None = None,
    ) -> None:
        """Record in a database, send jobs through a broker, count events, and delete old data.

        `admit_hosts`: None if this process does not manage the broker's hosts.  `audit_percent`: the share of rated
        matches to audit, unless a tournament has its own.  `analyses`: None if games are not analyzed.
        """
        self.database = database
        self.broker = broker
        self._admit_hosts = admit_hosts
        self.rounds = rounds
        self.counts = counts or metrics.Counts()
        self.periods = periods or retention.RetentionPeriods()
        self.audit_percent = audit_percent
        self._auditor = Auditor(database)
        self._analyses = analyses or AnalysisSettings(workers=0)
        self._next_search_at = float("-inf")
        self._next_deletion_at = float("-inf")
        self._recorded = 0
        self._slots = 0

    def record_message(self, report: Report, sender: str, text: object) -> Receipt:
        """Record a worker's message about a job, and send more jobs if workers need them after a result."""
        on_stored = partial(results.follow_result, audit_percent=self.audit_percent)
        receipt = _with_retries(lambda: record_message(self.database, report, sender, text, on_stored))
        if receipt.verdict is not Verdict.STALE or report is Report.RESULT:  # heartbeats may be late
            _log_verdict(receipt, sender)
            self._count(receipt)
        gave_way = receipt.verdict is Verdict.RETURNED and sender == names.ANALYSIS_SENDER
        if gave_way or (report is Report.RESULT and receipt.verdict is not Verdict.OTHER_RELEASE):
            # Rated matches are sent in batches, one match per slot. When a batch is sent, the same number of other
            # matches is still waiting for workers.
            self._recorded += 1
            if not _is_rated(receipt) or self._recorded >= self._slots:
                self.dispatch()
        return receipt

    def _count(self, receipt: Receipt) -> None:
        if receipt.verdict is Verdict.FORGED:
            self.counts.add(metrics.FORGED)
        elif receipt.message is not None and receipt.message.kind == ANALYSIS.name:
            self.counts.add(metrics.ANALYSES, verdict=receipt.verdict.name.lower())
        elif receipt.verdict in metrics.RESULTS_OF and (receipt.message is None or receipt.message.kind in _MATCHES):
            match = receipt.outcome
            if match is None and receipt.job is not None:
                with self.database.read() as session:
                    match = session.get(Match, receipt.job.subject)
            count_result(self.counts, receipt, match)

    def sweep(self) -> None:
        """Reclaim jobs whose workers have fallen silent, end idle tables, and send due jobs."""
        try:
            hosts = self.update_hosts()
            slots, table_workers = self.broker.slots(), self.broker.table_workers()
            waiting = self.broker.waiting(
                [names.QUEUE_SOON, names.QUEUE_ANALYSIS, *(q for host in hosts for q in names.job_queues(host))]
            )
        except BROKER_ERRORS as error:
            log.warning("no sweep, because the broker's queues could not be read: %s", error)
            return
        match_queues = [queue for host in hosts if not slots.get(host) for queue in names.play_queues(host)]
        table_queues = [names.queue_of(names.QUEUE_TABLES, host) for host in hosts if not table_workers.get(host)]
        queues = (match_queues if any(slots.values()) else []) + (table_queues if any(table_workers.values()) else [])
        absent = [queue for queue in queues if waiting[queue]]
        ended = _with_retries(lambda: self._sweep(waiting, absent))
        self.broker.withdraw(absent)
        _with_retries(lambda: self._update_last_seen(slots))
        if ended:
            kinds = Counter(job.kind for job in ended)
            log.warning("%s ended without a result", ", ".join(f"{count} {kind}" for kind, count in kinds.items()))
        self._count_ended(ended)
        _with_retries(lambda: play.sweep_tables(self.database))
        self.counts.record_task("sweep")
        self.dispatch()

    def _sweep(self, waiting: Mapping[str, int], absent: Collection[str]) -> list[Job]:
        with self.database.read() as session:
            hosts = playing_hosts(session)
        return sweep_jobs(self.database, hosts, waiting, absent)

    def _count_ended(self, ended: Sequence[Job]) -> None:
        matches = [job.subject for job in ended if job.kind in _MATCHES]
        if matches:
            with self.database.read() as session:
                rows = session.exec(select(Match).where(col(Match.id).in_(matches))).all()
            for match in rows:
                self.counts.add(metrics.LEASES)
                _count_end(self.counts, match)

    def schedule(self) -> None:
        """Advance tournaments, plan due trials and ladder matches, send due jobs, then compute standings.

        Under maintenance, no tournament is advanced and no match is planned.
        """
        _with_retries(self._auditor.run)  # first, since a tournament can finish once its audits are over
        _with_retries(self._advance_seasons)
        _with_retries(self._schedule)
        _with_retries(self._settle)
        self.counts.record_task("schedule")
        _with_retries(self._plan_analyses)
        self.dispatch()
        _with_retries(lambda: settling.store_standings(self.database))
        _with_retries(self._count_records)
        if time.monotonic() >= self._next_deletion_at:
            self._next_deletion_at = time.monotonic() + DELETION_INTERVAL_S
            self.drop_old()

    def drop_old(self) -> None:
        """Delete old data, except under maintenance, when an operator may need it."""
        if dropped := _with_retries(self._drop_old):
            log.info("deleted old logs or replays of %d matches", dropped)

    def dispatch(self) -> None:
        """Send the jobs that workers can begin soon; the sweep later resends jobs that the broker refused."""
        try:
            self._recorded, self._slots = 0, sum(self.broker.slots().values())
            _with_retries(lambda: dispatch(self.database, self.broker, analysis_workers=self._analyses.workers))
        except BROKER_ERRORS as error:
            log.warning("the broker is not reachable, so some jobs were not sent: %s", error)

    def dispatch_soon(self) -> None:
        """Send jobs if a user is waiting for one."""
        if _with_retries(lambda: is_user_waiting(self.database)):
            self.dispatch()

    def _plan_analyses(self) -> None:
        settings = self._analyses
        if not settings.workers or time.monotonic() < self._next_search_at:
            return
        with self.database.write() as session:
            planned = plan_analyses(session, sample=settings.sample, budget_s=settings.budget_s)
        if not planned:
            self._next_search_at = time.monotonic() + SEARCH_INTERVAL_S

    def update_hosts(self) -> list[str]:
        """Give the hosts that may play access to the broker, and return their names.  Raises RedisError."""
        hosts = _with_retries(self._hosts)
        if self._admit_hosts is not None:
            self._admit_hosts(hosts)
        return [host.name for host in hosts]

    def _hosts(self) -> list[HostAccess]:
        with self.database.read() as session:
            return broker_access(session)

    def _update_last_seen(self, slots: Mapping[str, int]) -> None:
        with self.database.write() as session:
            update_last_seen(session, [host for host in playing_hosts(session) if slots.get(host.name)])

    def _is_under_maintenance(self) -> bool:
        with self.database.read() as session:
            return maintenance(session) is not None

    def _count_records(self) -> None:
        if not self._is_under_maintenance():
            count_records(self.database)

    def _drop_old(self) -> int:
        if self._is_under_maintenance():
            return 0
        with self.database.write() as session:
            drafts.drop_old_runs(session)
            clips.drop_old_clips(session)
        return retention.drop_old(self.database, self.periods)

    def _schedule(self) -> None:
        with self.database.write() as session:
            if maintenance(session) is not None:
                return
            planned = trials.plan_missing_trials(session)
            carry_out_actions(session)
            run_tournaments(session)
            planned += schedules.schedule(session, rounds=self.rounds)
        if planned:
            log.info("%d matches scheduled", planned)

    def _advance_seasons(self) -> None:
        with self.database.write() as session:
            if maintenance(session) is None:
                seasons.advance_seasons(session)

    def _settle(self) -> None:
        if not self._is_under_maintenance():
            advance_tournaments(self.database)


def register(app: Celery, recorder: Recorder) -> None:
    """Register the recorder's methods as tasks of an application.

    Workers can push to the queues of these tasks, so messages are not trusted.  The gate (`broker.gate`) sets the
    sender as the first argument.  A message counts only if the job was leased to the sender.
    """
    for task, report in {
        names.TASK_ALIVE: Report.ALIVE,
        names.TASK_RESULT: Report.RESULT,
        names.TASK_RETURNED: Report.RETURNED,
    }.items():
        app.task(_message_task(recorder, report), name=task)
    ticks = {
        names.TICK_SWEEP: recorder.sweep,
        names.TICK_SCHEDULE: recorder.schedule,
        names.TICK_DISPATCH: recorder.dispatch_soon,
    }

    def tick(name: str) -> None:
        ticks[name]()

    app.task(tick, name=names.TASK_TICK)


def _message_task(recorder: Recorder, report: Report) -> Callable[[str, object], None]:
    def task(sender: str, *arguments: object) -> None:
        with log_ids(host=sender):
            recorder.record_message(report, sender, arguments[0] if len(arguments) == 1 else arguments)

    return task


def _is_rated(receipt: Receipt) -> bool:
    is_done = receipt.verdict is Verdict.DONE
    return is_done and receipt.message is not None and receipt.message.kind in [purpose.value for purpose in RATED]


def _log_verdict(receipt: Receipt, sender: str) -> None:
    """Log the verdict on a message, with the ids of the match and its bots if the match job is known."""
    message, job = receipt.message, receipt.job
    if message is None:
        log.warning("%s sent an invalid message: %s", sender, receipt.reason)
        return
    content = receipt.content
    match_job = content.match_job if isinstance(content, results.CheckedMessage) else None
    subject = f"{message.kind} {message.job if job is None else job.subject}"
    with (
        log_match(match_job) if match_job is not None else log_ids(),
        log_ids(attempt=None if job is None else job.attempt),
    ):
        if receipt.verdict is Verdict.FORGED:
            log.error("%s sent a message about %s, which was not leased to it; dropped", sender, subject)
        elif receipt.verdict is Verdict.EXCLUDED:
            log.warning("the host %s may no longer play; dropped its message about %s", sender, subject)
        elif receipt.verdict in _ROUTINE_VERDICTS:
            log.debug("%s: %s", subject, receipt.verdict.value)
        else:
            log.warning("%s: result %s %s", subject, receipt.verdict.value, receipt.reason)


_ROUTINE_VERDICTS = (Verdict.ALIVE, Verdict.PART, Verdict.DONE, Verdict.RETURNED)
_MATCHES = tuple(purpose.value for purpose in Purpose)


def _with_retries(action: Callable[[], ReturnT]) -> ReturnT:
    deadline = time.monotonic() + DATABASE_WAIT_S
    while True:
        try:
            return action()
        except OperationalError as error:
            if time.monotonic() >= deadline:
                raise
            log.warning("the database is not reachable, trying again: %s", error.orig)
            time.sleep(DATABASE_PAUSE_S)


class HostQueues:
    """The queues of the hosts that may play, which are kept when the consumer reconnects."""

    def __init__(self, app: Celery) -> None:
        """Add a step to the application's consumer, so that it listens to the hosts' queues when it starts."""
        self._queues: set[str] = set()
        self._consumer: Any = None
        app.steps["consumer"].add(self._step())

    def listen(self, hosts: Iterable[str]) -> None:
        """Listen to these hosts and no others."""
        queues = {names.queue_of(names.QUEUE_RECORDS, host) for host in hosts}
        if self._consumer is not None:
            for queue in self._queues - queues:
                self._consumer.cancel_task_queue(queue)
            self._add(queues - self._queues)
        self._queues = queues

    def _add(self, queues: Iterable[str]) -> None:
        for queue in sorted(queues):
            self._consumer.add_task_queue(queue, **queue_declaration(queue))

    def _step(self) -> type[bootsteps.StartStopStep]:
        host_queues = self

        class Listening(bootsteps.StartStopStep):
            requires = ("celery.worker.consumer.tasks:Tasks",)

            def start(self, consumer: Any) -> None:
                host_queues._consumer = consumer
                host_queues._add(host_queues._queues)

            def stop(self, consumer: Any) -> None:
                host_queues._consumer = None

        return Listening


# Metrics of matches.


def count_result(counts: metrics.Counts, receipt: Receipt, match: Match | None) -> None:
    """Count a result by its verdict, the match if it is over, and the figures of a valid result."""
    counts.add(metrics.RESULTS, verdict=metrics.RESULTS_OF[receipt.verdict])
    if match is not None:
        _count_end(counts, match)
    if match is not None and isinstance(receipt.content, results.CheckedMessage) and receipt.content.result is not None:
        _count_result(counts, match, receipt.content.result)


def _count_end(counts: metrics.Counts, match: Match) -> None:
    end = match_end(match)
    if end is not None:
        counts.add(metrics.MATCHES, purpose=match.purpose, end=end.value)


def _count_result(counts: metrics.Counts, match: Match, result: Result) -> None:
    """Count faults and jails, and observe the durations of the match and its decisions as the worker reported them."""
    counts.observe(metrics.MATCH_TIME, match.seconds or 0.0, purpose=match.purpose)
    counts.add(metrics.JAILS, result.jails)
    for game in result.games:
        for fault in game.faults:
            counts.add(metrics.FAULTS, kind=fault.kind)
    for times in result.think:
        for octave, decisions in times.items():
            counts.observe(metrics.DECISIONS, limit_s(octave), decisions)


class Outbox:
    """Sends jobs to workers, and stores bots' sources for them on the broker."""

    def __init__(self, app: Celery, redis_url: str) -> None:
        self._app = app
        self._redis = link.connect(redis_url)

    def slots(self) -> dict[str, int]:
        """Return the number of matches that each host can currently play at a time, by host name."""
        return link.slots_by_host(self._redis)

    def checkers(self) -> dict[str, int]:
        """Return the number of workers that run only checks, by host name."""
        return link.slots_by_host(self._redis, names.checkers_key)

    def table_workers(self) -> dict[str, int]:
        """Return the number of workers that run bots at tables, by host name."""
        return link.slots_by_host(self._redis, names.table_workers_key)

    def put_code(self, sha256: str, source: bytes, ttl_s: float) -> None:
        """Store a bot's source for the workers."""
        self._redis.set(names.code_key(sha256), source, ex=int(ttl_s) + 1)

    def send(self, queue: str, message: gate.Message) -> None:
        """Send a message about a job into a queue."""
        send(self._app, names.TASK_RUN, [gate.encode_message(message)], queue)

    def waiting(self, queues: Iterable[str]) -> dict[str, int]:
        """Return the number of pending messages in each queue."""
        return {queue: int(self._redis.llen(queue)) for queue in queues}

    def withdraw(self, queues: Iterable[str]) -> None:
        """Remove all pending messages from these queues."""
        for queue in queues:
            self._redis.delete(queue)


# The process.

GC_THRESHOLD = 20_000  # new objects between garbage collections; replaying a match creates more, but keeps none


def requeue_old_jobs(database: Database, client: Redis) -> int:
    """Requeue jobs that another release sent, whose results would not count, and return their number."""
    with database.read() as session:
        release = fact(session, Fact.RELEASE)
    if release is not None and release.value["release"] == this_release():
        return 0
    with database.write() as session:
        hosts = [host.name for host in playing_hosts(session)]
        count = len(requeue_all(session))
        store_fact(session, Fact.RELEASE, {"release": this_release()})
    for host in hosts:
        client.delete(*names.job_queues(host))
    client.delete(names.QUEUE_SOON, names.QUEUE_ANALYSIS)
    return count


def run(settings: Settings) -> int:
    """Handle messages until a signal arrives; return the exit status."""
    redis_url = settings.need_redis_url()
    counts = metrics.Counts()
    publisher = metrics.Publisher(counts, redis_url)
    counts.add(metrics.STARTS, process="records")
    publisher.flush()  # now, since the next steps may end the process, possibly after every restart
    client = link.connect(redis_url)
    link.check_clock(client)
    database = Database(settings.need_database_url())
    if count := _with_retries(lambda: requeue_old_jobs(database, client)):
        log.warning("this release differs from the previous one: %d sent jobs will be run again", count)
    app = make_celery(redis_url, role="records")
    broker = Outbox(app, redis_url)
    periods = retention.RetentionPeriods(settings.keep_logs_days, settings.keep_replays_days)
    analysis = settings.analysis_redis_url  # set only if this process must add the analysis workers' user to the broker
    users = BrokerUsers(client, stored_hash(analysis_password(analysis)) if analysis else None)
    admit_hosts = _host_admission(users, HostQueues(app))
    recorder = Recorder(
        database,
        broker,
        rounds=settings.rounds,
        counts=counts,
        periods=periods,
        admit_hosts=admit_hosts,
        audit_percent=settings.audit_percent,
        analyses=AnalysisSettings(
            workers=settings.analysis_workers, sample=settings.analysis_sample, budget_s=settings.analysis_budget_s
        ),
    )
    recorder.update_hosts()
    register(app, recorder)
    gc.freeze()  # imported modules stay in memory, so the garbage collector can skip them
    gc.set_threshold(GC_THRESHOLD)
    log.info("recording")
    status = run_worker(app, [names.QUEUE_RECORDS, names.QUEUE_ANALYZED], "records")
    publisher.flush()
    return status


def _host_admission(broker_users: BrokerUsers, host_queues: HostQueues) -> AdmitHosts:
    def admit_hosts(hosts: Sequence[HostAccess]) -> None:
        changes = broker_users.admit(hosts)
        host_queues.listen([host.name for host in hosts])
        for access, changed in (("may play", changes.added), ("may no longer play", changes.removed)):
            for name in changed:
                log.warning("the worker host %s %s", name, access)

    return admit_hosts


def main() -> int:
    """Run with the environment's settings; return the exit status."""
    settings = read_settings()
    forget_secrets()
    return run(settings)


if __name__ == "__main__":
    keep_private()
    set_up_logging()
    sys.exit(exit_status(main))

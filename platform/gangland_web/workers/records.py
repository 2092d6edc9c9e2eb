"""The record worker: the only writer of results and ratings (`python -m gangland_web.workers.records`)."""

from __future__ import annotations

import gc
import logging
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import msgspec
from celery import Celery, bootsteps
from kombu.exceptions import OperationalError as BrokerOperationalError
from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy.exc import OperationalError

from gangland_ladder.analysis.transfer import AnalysisOrder
from gangland_ladder.common.runtime import this_release
from gangland_ladder.matches.match_orders import HIGHEST_ID, Order, Result, decode_claim, encode, limit_s
from gangland_ladder.playing.hints import HintOrder
from gangland_ladder.playing.table_orders import TableOrder
from gangland_web.base.secrecy import forget_secrets, keep_private
from gangland_web.broker.access import BrokerUsers, HostAccess, analysis_password, hashed
from gangland_web.broker.link import check_clock, connect, slots_by_host
from gangland_web.broker.names import (
    QUEUE_ANALYSED,
    QUEUE_ANALYSIS,
    QUEUE_RECORDS,
    QUEUE_TABLES,
    TASK_ANALYSE,
    TASK_ANALYSED,
    TASK_BEAT,
    TASK_BEGUN,
    TASK_DISPATCH,
    TASK_HINT,
    TASK_HINTED,
    TASK_PLAY,
    TASK_PROGRESS,
    TASK_RESULT,
    TASK_RETURNED,
    TASK_SCHEDULE,
    TASK_SWEEP,
    TASK_TABLE,
    TASK_TABLE_ROWS,
    TASK_TABLES,
    checkers_key,
    code_key,
    order_queues,
    play_queues,
    queue_of,
    table_workers_key,
)
from gangland_web.metrics import (
    ANALYSES,
    DECISIONS,
    FAULTS,
    FORGED,
    JAILS,
    LEASES,
    MATCH_TIME,
    MATCHES,
    RESULTS,
    STARTS,
    VERDICTS,
    Counts,
    Publisher,
)
from gangland_web.models.database import Database
from gangland_web.models.jobs import AnalysisVerdict, TableVerdict
from gangland_web.models.matches import Match, ResultVerdict
from gangland_web.models.site import Fact, fact, keep_fact, maintenance
from gangland_web.process import about, about_order, exit_status, set_up_logging
from gangland_web.services.analyses import AnalysisBroker, plan_analyses, record_analysis, send_analyses, sweep_analyses
from gangland_web.services.dispatch import MatchBroker, Sender, SentOrders, check_waits, dispatch, look_at_sender
from gangland_web.services.draft_runs import send_runs, sweep_runs, take_runs_back
from gangland_web.services.final_tables import play_finals
from gangland_web.services.hall_of_fame import count_records
from gangland_web.services.host_audits import Auditor
from gangland_web.services.matches import end_of
from gangland_web.services.organising import carry_out_all
from gangland_web.services.play import (
    HintBroker,
    TableBroker,
    record_hint,
    record_rows,
    send_hints,
    send_tables,
    sweep_hints,
    sweep_tables,
    token_number,
)
from gangland_web.services.results import (
    Recorded,
    record_beat,
    record_begun,
    record_result,
    record_returned,
    sweep,
    take_all_back,
)
from gangland_web.services.retention import Keep, drop_old
from gangland_web.services.schedules import ROUNDS, schedule
from gangland_web.services.seasons import turn_seasons
from gangland_web.services.settling import settle_all, store_standings
from gangland_web.services.tournaments import run_tournaments
from gangland_web.services.trials import plan_missing_trials, trial_progressed
from gangland_web.services.worker_hosts import broker_access, playing_hosts, update_last_seen
from gangland_web.settings import Settings, read_settings
from gangland_web.workers.celery_app import make_celery, on_default_exchange, run_worker, send

log = logging.getLogger("gangland_web.workers.records")


# The recorder: what is done about each message.


RESULT_CHARS = 64 * 1024 * 1024
"""More than a match with all its logs can come to."""
TOKEN_CHARS = 64
DATABASE_WAIT_S = 120.0
"""So long a message waits for a database that is away: what is given up then is played again."""
DATABASE_PAUSE_S = 1.0
LOOKS_EVERY_S = 30.0
"""How often is looked for games to analyse once there was none; what people open is sent at once."""
DROPS_EVERY_S = 600.0
"""How often is looked for what is older than is kept."""

BROKER_AWAY = (RedisError, BrokerOperationalError)

ReturnT = TypeVar("ReturnT")


class RecordBroker(MatchBroker, AnalysisBroker, TableBroker, HintBroker, Protocol):
    """What the record worker needs of the broker."""


AdmitHosts = Callable[[Sequence[HostAccess]], None]
"""Admits these hosts to the broker, listens to them, and shuts out all others."""


@dataclass(frozen=True, slots=True)
class Analyses:
    """How games are analysed.

    Attributes:
        workers: how many processes do it, 0 for none; cpu_s: after which the rest of a game is left out.
        sample: games of each active version, game and table size; budget_s: CPU seconds for these in 24 hours.
    """

    workers: int = 1
    cpu_s: float = 30.0
    sample: int = 12
    budget_s: float = 7200.0


class Recorder:
    """What the record worker does about each message.  All of it is idempotent."""

    def __init__(
        self,
        database: Database,
        post: RecordBroker,
        *,
        rounds: int = ROUNDS,
        counts: Counts | None = None,
        keep: Keep | None = None,
        admit_hosts: AdmitHosts | None = None,
        audit_percent: int = 0,
        analyses: Analyses | None = None,
    ) -> None:
        """Work on a database, speak to match workers through a post, count what happens, and drop what is not kept.

        Args:
            admit_hosts: None where the broker knows the hosts without us.
            audit_percent: of so many of 100 rated matches the result is audited, where a tournament does not say.
            analyses: how games are analysed; None where they are not.
        """
        self.database = database
        self.post = post
        self._admit_hosts = admit_hosts
        self.rounds = rounds
        self.counts = counts or Counts()
        self.keep = keep or Keep()
        self.audit_percent = audit_percent
        self._auditor = Auditor(database)
        self._analyses = analyses or Analyses(workers=0)
        self._looks_at = float("-inf")
        self._drops_at = float("-inf")
        self._sent = SentOrders()
        self._recorded = 0
        self._slots = 0

    def is_authorized(self, host: str, match_id: object, token: object) -> bool:
        """Whether what a host says of a match may be listened to: the match was given to this very host.

        Whatever cannot be about any match is refused by whoever takes it in.
        """
        lease = _parse_lease(match_id, token)
        return lease is None or self._is_from(host, "match", *lease)

    def is_result_authorized(self, host: str, text: object) -> bool:
        """As `is_authorized`, of a result."""
        claim = decode_claim(text) if isinstance(text, str) and len(text) <= RESULT_CHARS else None
        return claim is None or self.is_authorized(host, claim.id, claim.token)

    def are_rows_authorized(self, host: str, text: object) -> bool:
        """As `is_authorized`, of what a host says of a table."""
        claim = decode_claim(text) if isinstance(text, str) and len(text) <= RESULT_CHARS else None
        lease = None if claim is None else _parse_lease(claim.id, claim.token)
        return lease is None or self._is_from(host, "table", token_number(lease[0]), lease[1])

    def _is_from(self, host: str, what: str, number: int, token: str) -> bool:
        """Whether a match or table was given to this host by this token; `number` is its number in tokens."""
        found = _with_retries(lambda: look_at_sender(self.database, host, number, token))
        if found is Sender.FORGED:
            self.counts.add(FORGED)
            words = "the host %s sent a message about %s %d, which was not given to it; dropped"
            log.error(words, host, what, abs(number))
        elif found is Sender.SHUT_OUT:
            log.warning("the host %s may not play any more; what it said of %s %d is dropped", host, what, abs(number))
        return found is Sender.ITSELF

    def begun(self, match_id: object, token: object) -> None:
        """A worker began a match: an attempt counts."""
        if (lease := _parse_lease(match_id, token)) is not None:
            _with_retries(lambda: record_begun(self.database, *lease))

    def beat(self, match_id: object, token: object) -> None:
        """A worker is still playing a match."""
        if (lease := _parse_lease(match_id, token)) is not None:
            _with_retries(lambda: record_beat(self.database, *lease))

    def progress(self, match_id: object, token: object, stage: object) -> None:
        """A bot on trial passed a stage of its check."""
        if (lease := _parse_lease(match_id, token)) is not None:
            _with_retries(lambda: trial_progressed(self.database, *lease, str(stage)[:TOKEN_CHARS]))

    def result(self, text: object) -> None:
        """A worker played a match: count it if it may count, then send the next.

        Rated matches are sent in batches of one a slot.  The workers have as many again waiting for them then, and
        whatever else is due is sent by the scheduler.
        """
        if not isinstance(text, str) or len(text) > RESULT_CHARS:
            log.warning("what came as a result is none")
            self.counts.add(RESULTS, verdict=VERDICTS[ResultVerdict.REFUSED])
            return
        recorded = _with_retries(
            lambda: record_result(self.database, text, self._sent, audit_percent=self.audit_percent)
        )
        _tell(recorded)
        count_recorded(self.counts, recorded)
        self._recorded += 1
        if not recorded.rated or self._recorded >= self._slots:
            self.dispatch()

    def returned(self, match_id: object, token: object) -> None:
        """A worker that ends gives a match back."""
        if (lease := _parse_lease(match_id, token)) is not None:
            _with_retries(lambda: record_returned(self.database, *lease))

    def sweep(self) -> None:
        """Take back what fell silent, then send what is due."""
        try:
            hosts = self.update_hosts()
            waiting, slots = self.post.waiting(hosts), self.post.slots()
        except BROKER_AWAY as error:
            log.warning("not swept, since nobody knows what waits on the broker: %s", error)
            return
        absent = [host for host in hosts if waiting[host] and not slots.get(host)] if any(slots.values()) else []
        ended = _with_retries(lambda: sweep(self.database, waiting=waiting, absent=absent))
        self.post.take_back(absent)
        _with_retries(lambda: self._update_last_seen(slots))
        if ended:
            log.warning("%d leases ended without a result", len(ended))
        count_silent(self.counts, ended)
        if taken := _with_retries(lambda: sweep_analyses(self.database)):
            log.warning("%d analyses ended without a result", taken)
        self.sweep_tables()
        if taken := _with_retries(lambda: sweep_runs(self.database)):
            log.warning("%d runs of drafts ended without a result", taken)
        self.counts.done("sweep")
        self.dispatch()

    def schedule(self) -> None:
        """Move tournaments on, plan the trials and ladder matches that are wanted, then send what is due.

        The standings of a tournament that is over are fitted then.  Under maintenance nothing is moved on or planned.
        """
        _with_retries(self._auditor.run)  # first: a tournament whose audits are over may be finished then
        _with_retries(self._turn_seasons)
        _with_retries(self._schedule)
        _with_retries(self._settle)
        self.counts.done("schedule")
        self.dispatch()
        _with_retries(lambda: store_standings(self.database))
        _with_retries(self._count_records)
        _with_retries(self._plan_analyses)
        self.send_analyses()
        if time.monotonic() >= self._drops_at:
            self._drops_at = time.monotonic() + DROPS_EVERY_S
            self.drop_old()

    def drop_old(self) -> None:
        """Drop what is older than is kept; nothing under maintenance, in which somebody may be looking for it."""
        if dropped := _with_retries(self._drop_old):
            log.info("logs or replays of %d matches are not kept any more", dropped)

    def dispatch(self) -> None:
        """Send what the match workers can take soon; what a broker does not take, the sweep has sent again."""
        try:
            self._recorded, self._slots = 0, sum(self.post.slots().values())
            _with_retries(lambda: send_runs(self.database, self.post))
            _with_retries(lambda: dispatch(self.database, self.post, self._sent))
        except BROKER_AWAY as error:
            log.warning("the broker is not reachable, so not everything was sent: %s", error)

    def dispatch_checks(self) -> None:
        """Send the checks of uploads and the runs of drafts that came just now: their authors wait for the answer."""
        if _with_retries(lambda: check_waits(self.database)):
            self.dispatch()
        else:
            self.send_runs()
        self.send_analyses()
        self.send_tables()

    def send_runs(self) -> None:
        """Send runs of drafts; what a broker does not take is sent again once its lease is over."""
        _send(lambda: send_runs(self.database, self.post), "no draft was sent")

    def analysed(self, text: object) -> None:
        """A worker says something of a game that it analyses: store it if it can be right, then send the next."""
        recorded = _with_retries(lambda: record_analysis(self.database, _text(text)))
        if recorded.verdict in (AnalysisVerdict.REFUSED, AnalysisVerdict.FAILED):
            log.warning("game %s: its analysis is %s: %s", recorded.game_id, recorded.verdict.value, recorded.why)
        if not recorded.is_private:
            self.counts.add(ANALYSES, verdict=recorded.verdict.value)
        self.send_analyses()

    def send_analyses(self) -> None:
        """Send games to be analysed; what a broker does not take is sent again once its lease is over."""
        how = self._analyses
        _send(
            lambda: send_analyses(self.database, self.post, workers=how.workers, cpu_s=how.cpu_s),
            "no game was sent to be analysed",
        )

    def _plan_analyses(self) -> None:
        """Plan what is analysed while nothing waits."""
        how = self._analyses
        if not how.workers or time.monotonic() < self._looks_at:
            return
        with self.database.write() as session:
            planned = plan_analyses(session, sample=how.sample, budget_s=how.budget_s)
        if not planned:
            self._looks_at = time.monotonic() + LOOKS_EVERY_S

    def table_rows(self, text: object) -> None:
        """A worker asked the bots of a table: add what they answered, if it goes on from what is kept."""
        recorded = _with_retries(lambda: record_rows(self.database, _text(text)))
        if recorded.verdict in (TableVerdict.REFUSED, TableVerdict.FAILED, TableVerdict.ENDED):
            log.warning("table %s: %s: %s", recorded.table_id, recorded.verdict.value, recorded.why)

    def hinted(self, text: object) -> None:
        """The reference said what it would do in a person's place: keep it with the table if it can be right."""
        recorded = _with_retries(lambda: record_hint(self.database, _text(text)))
        if recorded.verdict in (TableVerdict.REFUSED, TableVerdict.FAILED):
            log.warning("table %s: its hint is %s: %s", recorded.table_id, recorded.verdict.value, recorded.why)

    def send_tables(self) -> None:
        """Have the bots of tables asked, and the reference for hints.

        What a broker does not take is sent again once its lease is over.
        """
        nothing = "the bots of no table were asked"
        _send(lambda: (send_tables(self.database, self.post), send_hints(self.database, self.post)), nothing)

    def sweep_tables(self) -> None:
        """Take back what fell silent at tables, and end tables at which nobody decides."""
        if taken := _with_retries(lambda: sweep_tables(self.database)):
            log.warning("the bots of %d tables were asked and did not answer", taken)
        if taken := _with_retries(lambda: sweep_hints(self.database)):
            log.warning("%d hints were asked for and did not come", taken)

    def update_hosts(self) -> list[str]:
        """Let the hosts in to the broker that may play, and return their names.  Raises RedisError."""
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

    def _is_maintained(self) -> bool:
        with self.database.read() as session:
            return maintenance(session) is not None

    def _count_records(self) -> None:
        if not self._is_maintained():
            count_records(self.database)

    def _drop_old(self) -> int:
        return 0 if self._is_maintained() else drop_old(self.database, self.keep)

    def _schedule(self) -> None:
        with self.database.write() as session:
            if maintenance(session) is not None:
                return
            planned = plan_missing_trials(session)
            carry_out_all(session)
            run_tournaments(session)
            planned += schedule(session, rounds=self.rounds)
        if planned:
            log.info("%d matches scheduled", planned)

    def _turn_seasons(self) -> None:
        with self.database.write() as session:
            if maintenance(session) is None:
                turn_seasons(session)

    def _settle(self) -> None:
        if not self._is_maintained():
            settle_all(self.database)
            play_finals(self.database)


def register(app: Celery, recorder: Recorder) -> None:
    """Make the recorder's acts tasks of an application.

    Worker hosts may push to the queues of these tasks, so none of them believes what it is told.  Who sent it is the
    first argument, by the gate (`broker.transport`); it is heard only where the match was given to that host.
    """
    acts: dict[str, Callable[..., None]] = {
        TASK_BEGUN: recorder.begun,
        TASK_BEAT: recorder.beat,
        TASK_PROGRESS: recorder.progress,
        TASK_RETURNED: recorder.returned,
    }
    for name, act in acts.items():
        app.task(_authorized_only(act, recorder.is_authorized), name=name)
    app.task(_authorized_only(recorder.result, recorder.is_result_authorized), name=TASK_RESULT)
    app.task(_authorized_only(recorder.table_rows, recorder.are_rows_authorized), name=TASK_TABLE_ROWS)
    own: dict[str, Callable[..., None]] = {
        TASK_SWEEP: recorder.sweep,
        TASK_SCHEDULE: recorder.schedule,
        TASK_DISPATCH: recorder.dispatch_checks,
        TASK_ANALYSED: recorder.analysed,
        TASK_HINTED: recorder.hinted,
        TASK_TABLES: recorder.send_tables,
    }
    for name, act in own.items():
        app.task(_task_of(act), name=name)


def _parse_lease(match_id: object, token: object) -> tuple[int, str] | None:
    """What a worker said, if it can be a match's id and a lease's token at all."""
    is_token = type(token) is str and len(token) <= TOKEN_CHARS and "\0" not in token
    if type(match_id) is int and 0 < match_id <= HIGHEST_ID and is_token:
        return match_id, str(token)
    log.warning("a message names no match and token")
    return None


def _tell(recorded: Recorded) -> None:
    """Write down what became of a result, with the ids of the match and its bots where its order is known."""
    match = recorded.match
    attempt = None if match is None else match.attempt
    order = recorded.order
    with about(match=recorded.match_id) if order is None else about_order(order), about(attempt=attempt):
        if recorded.verdict == ResultVerdict.RECORDED:
            log.debug("match %s recorded", recorded.match_id)
        else:
            log.warning("match %s: result %s %s", recorded.match_id, recorded.verdict.value, recorded.why)


def _authorized_only(act: Callable[..., None], is_authorized: Callable[..., bool]) -> Callable[..., None]:
    def task(host: str, *args: object) -> None:
        if is_authorized(host, *args[:2]):
            with about(host=host):
                act(*args)

    return task


def _task_of(act: Callable[..., None]) -> Callable[..., None]:
    def task(*args: object) -> None:
        act(*args)

    return task


def _text(sent: object) -> str:
    """Return what a worker sent as a text; "" for anything else, which is refused as that."""
    return sent if isinstance(sent, str) else ""


def _send(act: Callable[[], object], nothing: str) -> None:
    """Send something, or log that nothing was sent because the broker is away."""
    try:
        _with_retries(act)
    except BROKER_AWAY as error:
        log.warning("the broker is not reachable, so %s: %s", nothing, error)


def _with_retries(act: Callable[[], ReturnT]) -> ReturnT:
    """Do something with the database, waiting a while for one that is away or locked."""
    deadline = time.monotonic() + DATABASE_WAIT_S
    while True:
        try:
            return act()
        except OperationalError as error:
            if time.monotonic() >= deadline:
                raise
            log.warning("the database is not reachable, trying again: %s", error.orig)
            time.sleep(DATABASE_PAUSE_S)


# Listening: the hosts' queues that it takes from while it runs.


class HostQueues:
    """The queues of the hosts that may play, kept over a connection that is lost and made anew."""

    def __init__(self, app: Celery) -> None:
        """Listen on an application's worker as soon as it takes messages."""
        self._queues: set[str] = set()
        self._consumer: Any = None
        app.steps["consumer"].add(self._step())

    def listen(self, hosts: Iterable[str]) -> None:
        """Listen to these hosts and to nobody else."""
        wanted = {queue_of(QUEUE_RECORDS, host) for host in hosts}
        if self._consumer is not None:
            for queue in self._queues - wanted:
                self._consumer.cancel_task_queue(queue)
            self._add(wanted - self._queues)
        self._queues = wanted

    def _add(self, queues: Iterable[str]) -> None:
        for queue in sorted(queues):
            self._consumer.add_task_queue(queue, **on_default_exchange(queue))

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


def count_recorded(counts: Counts, recorded: Recorded) -> None:
    """Count a result, the match if it ended it, and what it told if it was true."""
    counts.add(RESULTS, verdict=VERDICTS[recorded.verdict])
    if recorded.match is not None:
        _count_end(counts, recorded.match)
    if recorded.match is not None and recorded.result is not None:
        _count_result(counts, recorded.match, recorded.result)


def count_silent(counts: Counts, ended: Iterable[Match]) -> None:
    """Count leases of which nothing was heard any more, and the matches that are void for it."""
    for match in ended:
        counts.add(LEASES)
        _count_end(counts, match)


def _count_end(counts: Counts, match: Match) -> None:
    end = end_of(match)
    if end is not None:
        counts.add(MATCHES, purpose=match.purpose, end=end.value)


def _count_result(counts: Counts, match: Match, result: Result) -> None:
    """Count what was judged, the faults, and what is the worker's word alone: times, as the row has them, and jails."""
    counts.observe(MATCH_TIME, match.seconds or 0.0, purpose=match.purpose)
    counts.add(JAILS, result.jails)
    for game in result.games:
        for fault in game.faults:
            counts.add(FAULTS, kind=fault.kind)
    for times in result.think:
        for octave, decisions in times.items():
            counts.observe(DECISIONS, limit_s(octave), decisions)


# The outbox: slots, code and orders on the broker.


class Outbox:
    """Sends orders to match workers and lays the bots' sources ready for them."""

    def __init__(self, app: Celery, redis_url: str) -> None:
        """Use an application for messages and a connection of its own for the rest."""
        self._app = app
        self._redis = connect(redis_url)

    def slots(self) -> dict[str, int]:
        """Return how many matches each host can play at a time now, by its name."""
        return slots_by_host(self._redis)

    def checkers(self) -> dict[str, int]:
        """Return how many workers of each host take checks alone, by its name."""
        return slots_by_host(self._redis, checkers_key)

    def table_workers(self) -> dict[str, int]:
        """Return how many workers of each host take tables alone, by its name."""
        return slots_by_host(self._redis, table_workers_key)

    def put_code(self, sha256: str, source: bytes, lasts_s: float) -> None:
        """Lay a bot's source ready for the workers."""
        self._redis.set(code_key(sha256), source, ex=int(lasts_s) + 1)

    def send(self, host: str, queue: str, order: Order) -> None:
        """Send an order to a host's workers."""
        send(self._app, TASK_PLAY, [encode(order).decode()], queue_of(queue, host))

    def send_table(self, host: str, order: TableOrder) -> None:
        """Send a table whose bots are to be asked to a host's workers."""
        send(self._app, TASK_TABLE, [msgspec.json.encode(order).decode()], queue_of(QUEUE_TABLES, host))

    def send_analysis(self, order: AnalysisOrder) -> None:
        """Send an order to those who analyse games."""
        send(self._app, TASK_ANALYSE, [msgspec.json.encode(order).decode()], QUEUE_ANALYSIS)

    def send_hint(self, order: HintOrder) -> None:
        """Send a person's question for the reference to those who analyse games."""
        send(self._app, TASK_HINT, [msgspec.json.encode(order).decode()], QUEUE_ANALYSIS)

    def analyses_waiting(self) -> int:
        """Return how many orders nobody who analyses games has taken yet."""
        return int(self._redis.llen(QUEUE_ANALYSIS))

    def waiting(self, hosts: Iterable[str]) -> dict[str, int]:
        """Return how many orders no worker of each host has taken yet."""
        return {host: sum(int(self._redis.llen(queue)) for queue in play_queues(host)) for host in hosts}

    def take_back(self, hosts: Iterable[str]) -> None:
        """Take back the orders that no worker of these hosts has taken."""
        for host in hosts:
            self._redis.delete(*play_queues(host))


# The process.


GARBAGE_AFTER = 20_000
"""New objects after which cycles are looked for; a match that is played again makes more, and leaves none."""


def take_over(database: Database, client: Redis) -> int:
    """Take back what a record worker of another release gave out, and return how many matches that were.

    Nobody would count their results now, and no worker of this release plays such an order.
    """
    with database.read() as session:
        known = fact(session, Fact.RELEASE)
    if known is not None and known.value["release"] == this_release():
        return 0
    with database.write() as session:
        hosts = [host.name for host in playing_hosts(session)]
        taken = take_all_back(session)
        take_runs_back(session)
        keep_fact(session, Fact.RELEASE, {"release": this_release()})
    for host in hosts:
        client.delete(*order_queues(host))
    return taken


def run(settings: Settings) -> int:
    """Take messages until told to stop; return the exit status."""
    redis_url = settings.need_redis_url()
    counts = Counts()
    publisher = Publisher(counts, redis_url)
    counts.add(STARTS, process="records")
    publisher.flush()  # at once, for what follows may be what it ends by, again and again
    client = connect(redis_url)
    check_clock(client)
    database = Database(settings.need_database_url())
    if taken := _with_retries(lambda: take_over(database, client)):
        log.warning("this is another release than before: %d matches that were given out are played anew", taken)
    app = make_celery(redis_url, records=True)
    post = Outbox(app, redis_url)
    keep = Keep(settings.keep_logs_days, settings.keep_replays_days)
    analysis = settings.analysis_redis_url  # given where nobody but us lets its user in to a broker that restarts
    users = BrokerUsers(client, hashed(analysis_password(analysis)) if analysis else None)
    admit_hosts = _host_admission(users, HostQueues(app))
    recorder = Recorder(
        database,
        post,
        rounds=settings.rounds,
        counts=counts,
        keep=keep,
        admit_hosts=admit_hosts,
        audit_percent=settings.audit_percent,
        analyses=Analyses(
            workers=settings.analysis_workers,
            cpu_s=settings.analysis_cpu_s,
            sample=settings.analysis_sample,
            budget_s=settings.analysis_budget_s,
        ),
    )
    recorder.update_hosts()
    register(app, recorder)
    gc.freeze()  # what was imported stays: a look for cycles need not go through it every time
    gc.set_threshold(GARBAGE_AFTER)
    log.info("recording")
    status = run_worker(app, [QUEUE_RECORDS, QUEUE_ANALYSED], "records")
    publisher.flush()
    return status


def _host_admission(broker_users: BrokerUsers, host_queues: HostQueues) -> AdmitHosts:
    def admit_hosts(hosts: Sequence[HostAccess]) -> None:
        changes = broker_users.admit(hosts)
        host_queues.listen([host.name for host in hosts])
        for right, names in (("may play", changes.opened), ("is shut out", changes.shut)):
            for name in names:
                log.warning("the worker host %s %s", name, right)

    return admit_hosts


def main() -> int:
    """Record by the environment's settings; return the exit status."""
    settings = read_settings()
    forget_secrets()
    return run(settings)


if __name__ == "__main__":
    keep_private()
    set_up_logging()
    sys.exit(exit_status(main))

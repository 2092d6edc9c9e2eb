"""Metrics of the platform: their catalog, and the counts that each process sends to the broker."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from math import isfinite
from threading import Lock, Timer
from types import MappingProxyType
from typing import Final

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from gangland.faults import FaultKind
from gangland_ladder.matches.match_jobs import HIGHEST_OCTAVE, limit_s
from gangland_web.base.formats import now_s
from gangland_web.broker import names
from gangland_web.broker.link import CAUSES, cause_label
from gangland_web.models.jobs import AnalysisState, Verdict
from gangland_web.models.matches import AuditState, End, Purpose
from gangland_web.models.tournaments import RATED_KINDS

# The catalog: the name, the labels with all their values, and the meaning of each metric.
#
# A label's value is one of a few words listed here, or a route of the site: no request or bot can create a new series.


class Kind(StrEnum):
    """The kind of a metric: processes count `counter` and `histogram`; a `gauge` is measured on request."""

    COUNTER = "counter"
    HISTOGRAM = "histogram"
    GAUGE = "gauge"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of the catalog."""

    name: str
    kind: Kind
    help: str
    # The allowed values of each label; None allows any route of the site.
    labels: Mapping[str, tuple[str, ...] | None] = field(default_factory=lambda: MappingProxyType({}))
    buckets: tuple[float, ...] = ()  # upper bounds, ascending; a bucket without a bound follows

    def values(self, labels: Mapping[str, str]) -> tuple[str, ...]:
        """Return the labels' values in order.  Raises ValueError: the metric does not have such a label or value."""
        if set(labels) != set(self.labels):
            raise ValueError(f"{self.name}: expected the labels {sorted(self.labels)}, not {sorted(labels)}")
        for name, known in self.labels.items():
            if known is not None and labels[name] not in known:
                raise ValueError(f"{self.name}: {name} must be one of {known}, not {labels[name]!r}")
        return tuple(labels[name] for name in self.labels)


def _metric(
    kind: Kind, name: str, text: str, buckets: tuple[float, ...] = (), /, **labels: tuple[str, ...] | None
) -> Metric:
    return Metric(f"gangland_{name}", kind, text, MappingProxyType(labels), buckets)


_counter, _gauge, _histogram = (partial(_metric, kind) for kind in (Kind.COUNTER, Kind.GAUGE, Kind.HISTOGRAM))
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other")
CLASSES: Final = ("1xx", "2xx", "3xx", "4xx", "5xx")
PURPOSES: Final = tuple(purpose.value for purpose in Purpose)
ENDS: Final = tuple(end.value for end in End)
# The values of the metric's label, by verdict on a result.
RESULTS_OF: Final = MappingProxyType(
    {
        Verdict.DONE: "recorded",
        Verdict.STALE: "stale",
        Verdict.REFUSED: "refused",
        Verdict.FAILED: "void",
        Verdict.OTHER_RELEASE: "other_release",
    }
)
PROCESSES: Final = ("web", "records", "mail")
TASKS: Final = ("sweep", "schedule")
AUDIT_STATES: Final = tuple(state.value for state in AuditState)
PROBES: Final = tuple(dict.fromkeys(cause_label(cause) for cause in CAUSES))
PARTS: Final = ("database", "tables", "broker", "writes")
REQUEST_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 10.0)
MATCH_S: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
# The buckets in which workers count decisions by duration: the first is up to 16 microseconds, the last up to 4 s.
OCTAVES: Final = range(4, HIGHEST_OCTAVE + 1)
DECISION_S: Final = tuple(limit_s(octave) for octave in OCTAVES if octave <= 22)

REQUESTS = _counter(
    "http_requests_total",
    "Answered requests.",
    method=METHODS,
    route=None,
    status=tuple(str(status) for status in range(100, 600)),
)
ANSWERS = _counter(
    "http_responses_total",
    "Responses by class of status, except health checks, metrics, and refusals under maintenance.",
    kind=CLASSES,
)
CACHED = _counter("http_cached_responses_total", "Live parts answered from memory, which are not counted as requests.")
REQUEST_TIME = _histogram(
    "http_request_seconds",
    "Time from when a thread receives a request to the first byte of the response.",
    REQUEST_S,
    route=None,
)
RESULTS = _counter(
    "results_total",
    "Results from workers: recorded, stale (after the lease had ended), refused (not valid), void (no result), or"
    " other_release (from a worker of another release than the site).",
    verdict=tuple(RESULTS_OF.values()),
)
ANALYSES = _counter(
    "analysis_messages_total",
    "Workers' messages about analyses: done, part (a partial result), alive (a heartbeat), failed (the game cannot be"
    " analyzed), returned (for another worker), refused (not valid), or stale (after the lease had ended).",
    verdict=tuple(verdict.name.lower() for verdict in Verdict),
)
FORGED = _counter(
    "forged_messages_total", "Messages from a worker host about a match that was not leased to it; they are ignored."
)
MATCHES = _counter(
    "matches_total",
    "Matches that ended: done, or void by reason. Matches that organizers voided are not counted.",
    purpose=PURPOSES,
    end=ENDS,
)
MATCH_TIME = _histogram(
    "match_seconds", "Duration of recorded matches, as reported by workers.", MATCH_S, purpose=PURPOSES
)
LEASES = _counter("leases_silent_total", "Leases that were ended because the worker fell silent.")
JAILS = _counter("jails_opened_total", "Jails opened for recorded matches, as reported by workers.")
DECISIONS = _histogram(
    "decision_seconds", "CPU seconds of bots' decisions in recorded matches, as reported by workers.", DECISION_S
)
FAULTS = _counter(
    "faults_total",
    "Games that a bot forfeited in recorded matches, by kind of fault.",
    kind=tuple(kind.value for kind in FaultKind),
)
MAILS = _counter("mails_total", "Emails that left the outbox, by result.", end=("sent", "refused", "given_up"))
STARTS = _counter("starts_total", "Starts of the processes that use the database.", process=PROCESSES)

READY = _gauge("ready", "1 if a part that the site needs is ready, as in /readyz, otherwise 0.", part=PARTS)
INFO = _gauge("info", "Always 1; the label is the version of the site.", version=None)
COUNTED_SINCE = _gauge(
    "counted_since_timestamp_seconds", "Time when counting began; it changes if the broker loses its data."
)
TASK_AGE = _gauge(
    "task_age_seconds", "Seconds since the record worker last completed a task of the scheduler.", task=TASKS
)
MAINTENANCE = _gauge("maintenance", "1 while the site is under maintenance, otherwise 0.")
MATCH_SLOTS = _gauge("match_slots", "Number of matches that can be played at a time.")
STOPPED = _gauge(
    "workers_stopped",
    "Match workers that do not play, by the failed probe of the jail; release if their release is not the site's.",
    probe=PROBES,
)
HOSTS_STOPPED = _gauge("worker_hosts_stopped", "Worker hosts stopped by audits because of wrong results.")
AUDITS = _gauge("audits", "Rated matches that were drawn for a replay, by result.", state=AUDIT_STATES)
GAMES_ANALYZED = _gauge(
    "analyses", "Games with an analysis, by its state.", state=tuple(state.value for state in AnalysisState)
)
QUEUE = _gauge(
    "queue_matches",
    "Matches that are waiting or have been sent to workers.",
    purpose=PURPOSES,
    state=("waiting", "given_out"),
)
OLDEST = _gauge(
    "queue_oldest_wait_seconds",
    "Seconds that the oldest match that may be played now has waited; 0 if no match waits.",
    purpose=PURPOSES,
)
RATING_LAG = _gauge("rating_lag_matches", "Finished matches that are not rated yet.", kind=RATED_KINDS)
RATING_AGE = _gauge(
    "rating_lag_seconds", "Seconds since the first unrated match finished; 0 if all are rated.", kind=RATED_KINDS
)
MAILS_WAITING = _gauge("mails_waiting", "Emails that wait to be sent.")
MAILS_OLDEST = _gauge("mails_oldest_wait_seconds", "Seconds that the oldest email has waited; 0 if no email waits.")
DATABASE_BYTES = _gauge("database_bytes", "Size of the database.")
DISK_FREE = _gauge("database_disk_free_bytes", "Free disk space for an SQLite database; unknown for PostgreSQL.")
BACKUP_AGE = _gauge("backup_age_seconds", "Age of the newest backup; without a backup, the age of the site.")
BROKER_QUEUE = _gauge(
    "broker_queue_messages",
    "Messages that wait on the broker, for all worker hosts together.",
    queue=(
        *names.PLAY_QUEUES,
        names.QUEUE_TABLES,
        names.QUEUE_RECORDS,
        names.QUEUE_MAILS,
        names.QUEUE_ANALYSIS,
        names.QUEUE_ANALYZED,
    ),
)
BROKER_BYTES = _gauge("broker_memory_bytes", "Memory that the broker uses.")
BROKER_LIMIT = _gauge(
    "broker_memory_limit_bytes",
    "Memory that the broker may use; at the limit it refuses messages. Left out if there is no limit.",
)

# Metrics by name, in the order of /metrics.
CATALOG: Final[Mapping[str, Metric]] = MappingProxyType(
    {metric.name: metric for metric in list(globals().values()) if isinstance(metric, Metric)}
)


# Counting: each process adds its counts to the broker's totals every two seconds.

log = logging.getLogger(__name__)

COUNTS_KEY: Final = "metrics"  # A hash on the broker: the totals, by the names of `Counts`.
# A hash on the broker with the last time of each task; `since` is the time when counting began.
MOMENTS_KEY: Final = "metrics:moments"
SINCE: Final = "since"
SEND_INTERVAL_S: Final = 2.0
TIMEOUT_S: Final = 2.0  # timeout for the broker; no request waits for it
SUM: Final = "sum"
INFINITY: Final = "+Inf"
SEPARATOR: Final = "|"


@dataclass(frozen=True, slots=True)
class CountBatch:
    """The counts since the last call of `take`: amounts by name, and times by task."""

    amounts: dict[str, float] = field(default_factory=dict)
    moments: dict[str, float] = field(default_factory=dict)


class Counts:
    """The unsent counts of this process; thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._batch = CountBatch()
        # Called when there are new counts to send; does nothing without a publisher.
        self.on_new_counts: Callable[[], object] = bool

    def add(self, metric: Metric, amount: float = 1.0, /, **labels: str) -> None:
        """Increase a counter.  Raises ValueError: wrong kind or labels, or an amount that is not finite."""
        if metric.kind is not Kind.COUNTER:
            raise ValueError(f"{metric.name} is a {metric.kind.value}, not a counter")
        self._count({SEPARATOR.join((metric.name, *metric.values(labels))): amount})

    def observe(self, metric: Metric, value: float, times: int = 1, /, **labels: str) -> None:
        """Count a value in its bucket.  Raises ValueError: wrong kind or labels, or a value that is not finite."""
        if metric.kind is not Kind.HISTOGRAM:
            raise ValueError(f"{metric.name} is a {metric.kind.value}, not a histogram")
        name = SEPARATOR.join((metric.name, *metric.values(labels)))
        end = next((repr(end) for end in metric.buckets if value <= end), INFINITY)
        self._count({f"{name}{SEPARATOR}{end}": times, f"{name}{SEPARATOR}{SUM}": value * times})

    def record_task(self, task: str) -> None:
        """Record that a task of the scheduler has just been completed."""
        if task not in TASKS:
            raise ValueError(f"unknown task of the scheduler: {task!r}")
        with self._lock:
            self._batch.moments[task] = now_s()
        self.on_new_counts()

    def take(self) -> CountBatch:
        """Return the counts and reset them."""
        with self._lock:
            counts, self._batch = self._batch, CountBatch()
        return counts

    def put_back(self, counts: CountBatch) -> None:
        """Add counts that could not be sent."""
        with self._lock:
            for task, at in counts.moments.items():
                self._batch.moments.setdefault(task, at)
            self._add(counts.amounts)

    def _count(self, amounts: Mapping[str, float]) -> None:
        for name, amount in amounts.items():
            if not isfinite(amount):
                raise ValueError(f"{name}: expected a finite amount, not {amount!r}")
        with self._lock:
            self._add(amounts)
        self.on_new_counts()

    def _add(self, amounts: Mapping[str, float]) -> None:
        for name, amount in amounts.items():
            self._batch.amounts[name] = self._batch.amounts.get(name, 0.0) + amount


class Publisher:
    """Sends the counts of a process to the broker, from a thread that ends when idle."""

    def __init__(self, counts: Counts, redis_url: str) -> None:
        """Start sending counts; create this object in the process that counts, after any fork."""
        self._counts = counts
        self._client = redis.Redis.from_url(
            redis_url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, retry=Retry(NoBackoff(), 0)
        )
        self._lock = Lock()
        self._timer: Timer | None = None
        counts.on_new_counts = self._schedule_sending

    def flush(self) -> bool:
        """Send the counts so far.  Return False if the broker accepted nothing; these counts are sent later.

        Nothing is counted twice.  Counts are only sent later if it is certain that the broker added nothing: it could
        not be reached, or it refused the whole transaction.  If the connection fails after sending, the broker may have
        added the counts, so they are dropped.  The totals may lack some counts, but are never too high.
        """
        counts = self._counts.take()
        if not counts.amounts and not counts.moments:
            return True
        try:
            self._client.ping()
        except (redis.RedisError, OSError) as error:
            return self._retry_later(counts, error)
        try:
            send_counts(self._client, counts)
        except redis.ResponseError as error:
            return self._retry_later(counts, error)
        except (redis.RedisError, OSError) as error:
            log.warning("these counts are dropped, because it is unknown whether the broker added them: %s", error)
        return True

    def _retry_later(self, counts: CountBatch, error: Exception) -> bool:
        log.debug("counts will be sent later, because the broker accepts nothing: %s", error)
        self._counts.put_back(counts)
        return False

    def _schedule_sending(self) -> None:
        with self._lock:
            if self._timer is None:
                self._timer = Timer(SEND_INTERVAL_S, self._send_now)
                self._timer.daemon = True
                self._timer.start()

    def _send_now(self) -> None:
        with self._lock:
            self._timer = None
        if not self.flush():
            self._schedule_sending()


def send_counts(client: redis.Redis, counts: CountBatch) -> None:
    """Add counts to the broker's totals; a count is dropped if its total would not be a number.

    Raises ResponseError (nothing was added) or RedisError: the broker may or may not have added everything.
    """
    with client.pipeline() as pipe:
        for name, amount in counts.amounts.items():
            pipe.hincrbyfloat(COUNTS_KEY, name, amount)
        pipe.hsetnx(MOMENTS_KEY, SINCE, str(now_s()))
        for task, at in counts.moments.items():
            pipe.hset(MOMENTS_KEY, task, str(at))
        answers = pipe.execute(raise_on_error=False)
    for name, answer in zip((*counts.amounts, SINCE, *counts.moments), answers, strict=True):
        if isinstance(answer, redis.ResponseError):
            log.error("the count of %s is dropped, since the broker could not add it: %s", name, answer)

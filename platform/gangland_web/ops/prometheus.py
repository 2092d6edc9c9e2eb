"""Serve the metrics of the site to Prometheus."""

import logging
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from hmac import compare_digest
from itertools import accumulate, product
from pathlib import Path
from typing import Any, Final, NamedTuple

import redis
from flask import Blueprint, Response, abort, current_app, request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector
from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func

from gangland import __version__
from gangland_ladder.tournaments.lifecycle import State
from gangland_web import metrics
from gangland_web.base.formats import now_s
from gangland_web.broker.link import CAUSES, cause_label, count_slots, count_stopped, known_hosts
from gangland_web.broker.names import queue_of
from gangland_web.models.accounts import Mail
from gangland_web.models.database import Database
from gangland_web.models.jobs import AnalysisState, GameAnalysis, Requester
from gangland_web.models.matches import Audit, Match, MatchState, Purpose, WorkerHost
from gangland_web.models.site import Fact, fact, maintenance
from gangland_web.models.tournaments import RATED_KINDS, Tournament
from gangland_web.queries.status import queues_of
from gangland_web.services.dispatch import waiting_matches
from gangland_web.web.middleware import Readiness, check_readiness
from gangland_web.web.requests import settings
from gangland_web.web.sessions import database

# Gauges, read from the database and the broker for each request.


class Sample(NamedTuple):
    """A value of a gauge."""

    metric: metrics.Metric
    labels: tuple[str, ...]  # in the order of the catalog
    value: float


def database_samples(database: Database) -> Iterator[Sample]:
    """Yield the samples from the database.  Raises SQLAlchemyError."""
    with database.read() as db:
        now = now_s()
        yield Sample(metrics.MAINTENANCE, (), maintenance(db) is not None)
        yield from _queues(db, now)
        yield from _ratings(db, now)
        yield from _audits(db)
        yield from _analyses(db)
        waiting, oldest = db.connection().execute(select(func.count(), func.min(col(Mail.created_at)))).one()
        yield Sample(metrics.MAILS_WAITING, (), waiting)
        yield Sample(metrics.MAILS_OLDEST, (), _age(now, oldest))
        yield Sample(metrics.DATABASE_BYTES, (), _database_bytes(db, database))
        backup = fact(db, Fact.BACKUP)
        began = db.connection().execute(select(func.min(col(Tournament.created_at)))).scalar_one()
        yield Sample(metrics.BACKUP_AGE, (), _age(now, began if backup is None else backup.at))
    name = database.engine.url.database
    if database.engine.dialect.name == "sqlite" and name:
        yield Sample(metrics.DISK_FREE, (), shutil.disk_usage(Path(name).parent).free)


def broker_samples(client: redis.Redis) -> Iterator[Sample]:
    """Yield the samples from the broker.  Raises RedisError."""
    yield Sample(metrics.MATCH_SLOTS, (), count_slots(client))
    stopped = dict.fromkeys(metrics.PROBES, 0)
    for cause, workers in count_stopped(client, CAUSES).items():
        stopped[cause_label(cause)] += workers
    yield from (Sample(metrics.STOPPED, (probe,), workers) for probe, workers in stopped.items())
    hosts = known_hosts(client)
    for queue in metrics.BROKER_QUEUE.labels["queue"] or ():
        lists = [queue, *(queue_of(queue, host) for host in hosts)]
        yield Sample(metrics.BROKER_QUEUE, (queue,), sum(int(client.llen(key)) for key in lists))
    memory: Any = client.info("memory")
    yield Sample(metrics.BROKER_BYTES, (), memory["used_memory"])
    if memory.get("maxmemory"):
        yield Sample(metrics.BROKER_LIMIT, (), memory["maxmemory"])
    moments: Any = client.hgetall(metrics.MOMENTS_KEY)
    since = moments.get(metrics.SINCE.encode())
    if since is not None:
        yield Sample(metrics.COUNTED_SINCE, (), float(since))
        for task in metrics.TASKS:  # for a task that has never been done, the time since counting began
            yield Sample(metrics.TASK_AGE, (task,), _age(now_s(), float(moments.get(task.encode(), since))))


def _queues(db: Session, now: float) -> Iterator[Sample]:
    for queue in queues_of(db):
        yield Sample(metrics.QUEUE, (queue.purpose, "waiting"), queue.waiting)
        yield Sample(metrics.QUEUE, (queue.purpose, "given_out"), queue.playing)
    for purpose in Purpose:
        first = db.exec(waiting_matches(purpose).limit(1)).first()
        yield Sample(metrics.OLDEST, (purpose.value,), _age(now, None if first is None else first.created_at))


def _audits(db: Session) -> Iterator[Sample]:
    stopped = select(func.count()).where(col(WorkerHost.stopped_at).is_not(None))
    yield Sample(metrics.HOSTS_STOPPED, (), db.connection().execute(stopped).scalar_one())
    counted = db.connection().execute(select(col(Audit.state), func.count()).group_by(col(Audit.state)))
    counts = {row[0]: row[1] for row in counted}
    yield from (Sample(metrics.AUDITS, (state,), counts.get(state, 0)) for state in metrics.AUDIT_STATES)


def _analyses(db: Session) -> Iterator[Sample]:
    state = col(GameAnalysis.state)
    counted = select(state, func.count()).where(col(GameAnalysis.requested_by) != Requester.OWN.value)
    counts = {row[0]: row[1] for row in db.connection().execute(counted.group_by(state))}
    yield from (Sample(metrics.GAMES_ANALYZED, (name,), counts.get(name, 0)) for name in map(str, AnalysisState))


def _ratings(db: Session, now: float) -> Iterator[Sample]:
    """Yield the samples of delayed ratings; only matches beyond each cursor are read."""
    unrated = (
        select(col(Tournament.kind), func.count(), func.min(col(Match.done_at)))
        .join(Match, col(Match.tournament_id) == Tournament.id)
        .where(col(Tournament.kind).in_(RATED_KINDS), col(Tournament.state) == State.PLAYING.value)
        .where(col(Match.state) == MatchState.DONE.value, col(Match.rating_order) >= col(Tournament.cursor))
        .group_by(col(Tournament.kind))
    )
    lags = {kind: (count, first) for kind, count, first in db.connection().execute(unrated)}
    for kind in RATED_KINDS:
        count, first = lags.get(kind, (0, None))
        yield Sample(metrics.RATING_LAG, (kind,), count)
        yield Sample(metrics.RATING_AGE, (kind,), _age(now, first))


def _database_bytes(db: Session, database: Database) -> float:
    if database.engine.dialect.name == "sqlite":
        query = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    else:
        query = "SELECT pg_database_size(current_database())"
    return float(db.connection().execute(text(query)).scalar_one())


def _age(now: float, at: float | None) -> float:
    return 0.0 if at is None else max(0.0, now - at)


# The text format.

log = logging.getLogger(__name__)

Family = CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily
# By label values; in a histogram, also by the upper bound of a bucket, or SUM.
SeriesValues = dict[tuple[str, ...], float]
# A counter with at most this number of series exports all series from the start, so that their first events are
# visible.
MAX_ZERO_SERIES: Final = 64


class SiteCollector(Collector):
    """All metrics of the site; if the database or the broker fails, some are missing, as `gangland_ready` shows."""

    def __init__(self, database: Database, redis_url: str | None, ready: Readiness) -> None:
        self._database = database
        self._redis_url = redis_url
        self._ready = ready

    def collect(self) -> Iterator[Family]:
        """Yield one family for each metric, in the order of the catalog."""
        gauges: dict[str, list[Sample]] = defaultdict(list)
        for sample in self._gauges():
            gauges[sample.metric.name].append(sample)
        counted = self._read_counters()
        for metric in metrics.CATALOG.values():
            if metric.kind is metrics.Kind.GAUGE and gauges[metric.name]:
                yield _gauge(metric, gauges[metric.name])
            elif metric.kind is metrics.Kind.COUNTER and counted is not None:
                yield _counter(metric, counted.get(metric.name, {}))
            elif metric.kind is metrics.Kind.HISTOGRAM and counted is not None:
                yield _histogram(metric, counted.get(metric.name, {}))

    def _gauges(self) -> list[Sample]:
        samples = [Sample(metrics.INFO, (__version__,), 1.0)]
        samples += [
            Sample(metrics.READY, (part,), getattr(self._ready, part) == "ok")
            for part in metrics.READY.labels["part"] or ()
        ]
        try:
            samples += database_samples(self._database)
        except (SQLAlchemyError, OSError) as error:
            log.error("the metrics of the database could not be read: %s", type(error).__name__)
        if self._redis_url is not None:
            with _client(self._redis_url) as client:
                try:
                    samples += broker_samples(client)
                except (redis.RedisError, OSError) as error:
                    log.error("the metrics of the broker could not be read: %s", type(error).__name__)
        return samples

    def _read_counters(self) -> dict[str, SeriesValues] | None:
        if self._redis_url is None:
            return None
        with _client(self._redis_url) as client:
            try:
                fields: Any = client.hgetall(metrics.COUNTS_KEY)
            except (redis.RedisError, OSError) as error:
                log.error("the counts on the broker could not be read: %s", type(error).__name__)
                return None
        return read_counts(fields)


def exposition(collector: SiteCollector) -> bytes:
    """Return the metrics as text."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(collector)
    return generate_latest(registry)


def read_counts(fields: Mapping[bytes, bytes]) -> dict[str, SeriesValues]:
    """Return the broker's counts by metric, without counts that this version does not know."""
    counts: dict[str, SeriesValues] = defaultdict(dict)
    for name, value in fields.items():
        metric_name, *values = name.decode("utf-8", "replace").split(metrics.SEPARATOR)
        metric = metrics.CATALOG.get(metric_name)
        if metric is not None and len(values) == len(metric.labels) + (metric.kind is metrics.Kind.HISTOGRAM):
            counts[metric_name][tuple(values)] = float(value)
    return counts


def _client(redis_url: str) -> redis.Redis:
    return redis.Redis.from_url(redis_url, socket_timeout=metrics.TIMEOUT_S, socket_connect_timeout=metrics.TIMEOUT_S)


def _gauge(metric: metrics.Metric, samples: Iterable[Sample]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(metric.name, metric.help, labels=list(metric.labels))
    for sample in samples:
        family.add_metric(list(sample.labels), sample.value)
    return family


def _counter(metric: metrics.Metric, counted: SeriesValues) -> CounterMetricFamily:
    family = CounterMetricFamily(metric.name.removesuffix("_total"), metric.help, labels=list(metric.labels))
    for values in sorted({*counted, *_zero_series(metric)}):
        family.add_metric(list(values), counted.get(values, 0.0))
    return family


def _histogram(metric: metrics.Metric, counted: SeriesValues) -> HistogramMetricFamily:
    family = HistogramMetricFamily(metric.name, metric.help, labels=list(metric.labels))
    ends = [*(repr(end) for end in metric.buckets), metrics.INFINITY]
    for values in sorted({key[:-1] for key in counted} | set(_zero_series(metric))):
        sums = accumulate(counted.get((*values, end), 0.0) for end in ends)
        family.add_metric(list(values), list(zip(ends, sums, strict=True)), counted.get((*values, metrics.SUM), 0.0))
    return family


def _zero_series(metric: metrics.Metric) -> list[tuple[str, ...]]:
    """Return the label values of a metric's series, if all are known and few enough to export before any event."""
    known_values = [values for values in metric.labels.values() if values is not None]
    if len(known_values) < len(metric.labels):
        return []
    series = list(product(*known_values))
    return series if len(series) <= MAX_ZERO_SERIES else []


# The page `/metrics`, for callers with the configured token.

pages = Blueprint("metrics", __name__)


@pages.get("/metrics")
def figures() -> Response:
    """Return the metrics; 404 if METRICS_TOKEN is not set, 401 if the token is wrong."""
    site = settings()
    if site.metrics_token is None:
        abort(404)
    if not compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {site.metrics_token}".encode()):
        return Response("expected METRICS_TOKEN as a bearer token\n", 401, {"WWW-Authenticate": "Bearer"}, "text/plain")
    publisher: metrics.Publisher | None = current_app.extensions["gangland_publisher"]
    if publisher is not None:
        publisher.flush()
    collector = SiteCollector(database(), site.redis_url, check_readiness())
    return Response(exposition(collector), content_type=CONTENT_TYPE_PLAIN_0_0_4)

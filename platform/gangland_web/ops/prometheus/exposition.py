"""The figures as Prometheus reads them."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, product
from typing import Any, Final

import redis
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from gangland import __version__
from gangland_web.metrics import CATALOGUE, COUNTS_KEY, INFO, MORE, READY, SEPARATOR, SUM, WAIT_S, Kind, Metric
from gangland_web.models.database import Database
from gangland_web.ops.prometheus.queries import Sample, of_broker, of_database
from gangland_web.web.middleware import Ready

log = logging.getLogger(__name__)

Family = CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily
Counted = dict[tuple[str, ...], float]
"""By label values; for a histogram by those and the end of a class, or SUM."""
FEW: Final = 64
"""A counter of no more series than this tells of all of them from the start, so that the first of each is seen."""


class SiteCollector(Collector):
    """Everything that the house can tell now; what does not answer is left out, and `gangland_ready` says so."""

    def __init__(self, database: Database, redis_url: str | None, ready: Ready) -> None:
        """Ask this database and this broker."""
        self._database = database
        self._redis_url = redis_url
        self._ready = ready

    def collect(self) -> Iterator[Family]:
        """Yield one family a metric of the catalogue, in its order."""
        gauges: dict[str, list[Sample]] = defaultdict(list)
        for sample in self._gauges():
            gauges[sample.metric.name].append(sample)
        counted = self._counted()
        for metric in CATALOGUE.values():
            if metric.kind is Kind.GAUGE and gauges[metric.name]:
                yield _gauge(metric, gauges[metric.name])
            elif metric.kind is Kind.COUNTER and counted is not None:
                yield _counter(metric, counted.get(metric.name, {}))
            elif metric.kind is Kind.HISTOGRAM and counted is not None:
                yield _histogram(metric, counted.get(metric.name, {}))

    def _gauges(self) -> list[Sample]:
        found = [Sample(INFO, (__version__,), 1.0)]
        found += [Sample(READY, (part,), getattr(self._ready, part) == "ok") for part in READY.labels["part"] or ()]
        try:
            found += of_database(self._database)
        except (SQLAlchemyError, OSError) as error:
            log.error("no figures of the database: %s", type(error).__name__)
        if self._redis_url is not None:
            with _client(self._redis_url) as client:
                try:
                    found += of_broker(client)
                except (redis.RedisError, OSError) as error:
                    log.error("no figures of the broker: %s", type(error).__name__)
        return found

    def _counted(self) -> dict[str, Counted] | None:
        if self._redis_url is None:
            return None
        with _client(self._redis_url) as client:
            try:
                kept: Any = client.hgetall(COUNTS_KEY)
            except (redis.RedisError, OSError) as error:
                log.error("nothing of what was counted: %s", type(error).__name__)
                return None
        return read_counts(kept)


def exposition(house: SiteCollector) -> bytes:
    """Return the figures as text."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(house)
    return generate_latest(registry)


def read_counts(kept: Mapping[bytes, bytes]) -> dict[str, Counted]:
    """Return what the broker holds, by metric; what this version does not know is left out."""
    found: dict[str, Counted] = defaultdict(dict)
    for name, value in kept.items():
        metric_name, *values = name.decode("utf-8", "replace").split(SEPARATOR)
        metric = CATALOGUE.get(metric_name)
        if metric is not None and len(values) == len(metric.labels) + (metric.kind is Kind.HISTOGRAM):
            found[metric_name][tuple(values)] = float(value)
    return found


def _client(redis_url: str) -> redis.Redis:
    return redis.Redis.from_url(redis_url, socket_timeout=WAIT_S, socket_connect_timeout=WAIT_S)


def _gauge(metric: Metric, samples: Iterable[Sample]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(metric.name, metric.help, labels=list(metric.labels))
    for sample in samples:
        family.add_metric(list(sample.labels), sample.value)
    return family


def _counter(metric: Metric, counted: Counted) -> CounterMetricFamily:
    family = CounterMetricFamily(metric.name.removesuffix("_total"), metric.help, labels=list(metric.labels))
    for values in sorted({*counted, *_all_of(metric)}):
        family.add_metric(list(values), counted.get(values, 0.0))
    return family


def _histogram(metric: Metric, counted: Counted) -> HistogramMetricFamily:
    family = HistogramMetricFamily(metric.name, metric.help, labels=list(metric.labels))
    ends = [*(repr(end) for end in metric.buckets), MORE]
    for values in sorted({each[:-1] for each in counted} | set(_all_of(metric))):
        sums = accumulate(counted.get((*values, end), 0.0) for end in ends)
        family.add_metric(list(values), list(zip(ends, sums, strict=True)), counted.get((*values, SUM), 0.0))
    return family


def _all_of(metric: Metric) -> list[tuple[str, ...]]:
    """Return all that the labels may say together, if that is not much."""
    words = [known for known in metric.labels.values() if known is not None]
    if len(words) < len(metric.labels):
        return []
    together = list(product(*words))
    return together if len(together) <= FEW else []

"""Counting: each process adds up what happens, and adds that to what the broker holds every other second."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from threading import Lock, Timer
from typing import Final

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from gangland_web.base.clock import now_s
from gangland_web.metrics.catalogue import TASKS, Kind, Metric

log = logging.getLogger(__name__)

COUNTS_KEY: Final = "metrics"
"""A hash on the broker: what was counted, by `Counts`' names of it."""
MOMENTS_KEY: Final = "metrics:moments"
"""A hash on the broker: an act, and when it was last done; `since`, and when counting began."""
SINCE: Final = "since"
EVERY_S: Final = 2.0
WAIT_S: Final = 2.0
"""How long is waited for a broker; nobody waits with us."""
SUM: Final = "sum"
MORE: Final = "+Inf"
SEPARATOR: Final = "|"


@dataclass(frozen=True, slots=True)
class Taken:
    """What was counted since the last time: amounts by name, and moments by act."""

    amounts: dict[str, float] = field(default_factory=dict)
    moments: dict[str, float] = field(default_factory=dict)


class Counts:
    """What this process has counted and not told yet; threads may count at once."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._lock = Lock()
        self._taken = Taken()
        self.on_more: Callable[[], object] = bool
        """Called when there is more; nobody is told where counts are kept here alone."""

    def add(self, metric: Metric, amount: float = 1.0, /, **labels: str) -> None:
        """Count something.

        Raises:
            ValueError: no counter, or not its labels, or no finite amount.
        """
        if metric.kind is not Kind.COUNTER:
            raise ValueError(f"{metric.name} is a {metric.kind.value}, not a counter")
        self._keep({SEPARATOR.join((metric.name, *metric.values(labels))): amount})

    def observe(self, metric: Metric, value: float, times: int = 1, /, **labels: str) -> None:
        """Count a measurement in its class, or so many like it.

        Raises:
            ValueError: no histogram, or not its labels, or no finite value.
        """
        if metric.kind is not Kind.HISTOGRAM:
            raise ValueError(f"{metric.name} is a {metric.kind.value}, not a histogram")
        name = SEPARATOR.join((metric.name, *metric.values(labels)))
        end = next((repr(end) for end in metric.buckets if value <= end), MORE)
        self._keep({f"{name}{SEPARATOR}{end}": times, f"{name}{SEPARATOR}{SUM}": value * times})

    def done(self, task: str) -> None:
        """Note that a task of the scheduler was done just now."""
        if task not in TASKS:
            raise ValueError(f"no task of the scheduler: {task!r}")
        with self._lock:
            self._taken.moments[task] = now_s()
        self.on_more()

    def take(self) -> Taken:
        """Return what was counted and begin anew."""
        with self._lock:
            taken, self._taken = self._taken, Taken()
        return taken

    def put_back(self, taken: Taken) -> None:
        """Count again what could not be told."""
        with self._lock:
            for act, at in taken.moments.items():
                self._taken.moments.setdefault(act, at)
            self._add(taken.amounts)

    def _keep(self, amounts: Mapping[str, float]) -> None:
        for name, amount in amounts.items():
            if not isfinite(amount):
                raise ValueError(f"{name}: a finite amount is expected, not {amount!r}")
        with self._lock:
            self._add(amounts)
        self.on_more()

    def _add(self, amounts: Mapping[str, float]) -> None:
        for name, amount in amounts.items():
            self._taken.amounts[name] = self._taken.amounts.get(name, 0.0) + amount


class Publisher:
    """Tells the broker what a process counts, from a thread of its own that ends when there is nothing to tell."""

    def __init__(self, counts: Counts, redis_url: str) -> None:
        """Tell from now on; call it in the process that counts, not before a fork."""
        self._counts = counts
        self._client = redis.Redis.from_url(
            redis_url, socket_timeout=WAIT_S, socket_connect_timeout=WAIT_S, retry=Retry(NoBackoff(), 0)
        )
        self._lock = Lock()
        self._timer: Timer | None = None
        counts.on_more = self._soon

    def flush(self) -> bool:
        """Tell what was counted so far; False if the broker took nothing, and then it is told later.

        Nothing is told twice.  It is told later only where the broker has surely added nothing: it does not answer
        before anything is sent, or it refuses the whole transaction.  A broker that falls silent in between may have
        added it, so that is given up: two seconds that are missing tell less than was, but nothing that was not.
        """
        taken = self._counts.take()
        if not taken.amounts and not taken.moments:
            return True
        try:
            self._client.ping()
        except (redis.RedisError, OSError) as error:
            return self._later(taken, error)
        try:
            tell(self._client, taken)
        except redis.ResponseError as error:
            return self._later(taken, error)
        except (redis.RedisError, OSError) as error:
            log.warning("what was counted is given up, since nobody knows whether the broker added it: %s", error)
        return True

    def _later(self, taken: Taken, error: Exception) -> bool:
        log.debug("what was counted is told later, since the broker takes nothing: %s", error)
        self._counts.put_back(taken)
        return False

    def _soon(self) -> None:
        with self._lock:
            if self._timer is None:
                self._timer = Timer(EVERY_S, self._on_time)
                self._timer.daemon = True
                self._timer.start()

    def _on_time(self) -> None:
        with self._lock:
            self._timer = None
        if not self.flush():
            self._soon()


def tell(client: redis.Redis, taken: Taken) -> None:
    """Add what was counted to what the broker holds; what it cannot add, since no number comes of it, is dropped.

    Raises:
        ResponseError: it refused the transaction, and nothing was added.
        RedisError: it is away, before or after it added everything.
    """
    with client.pipeline() as pipe:
        for name, amount in taken.amounts.items():
            pipe.hincrbyfloat(COUNTS_KEY, name, amount)
        pipe.hsetnx(MOMENTS_KEY, SINCE, str(now_s()))
        for act, at in taken.moments.items():
            pipe.hset(MOMENTS_KEY, act, str(at))
        answers = pipe.execute(raise_on_error=False)
    for name, answer in zip((*taken.amounts, SINCE, *taken.moments), answers, strict=True):
        if isinstance(answer, redis.ResponseError):
            log.error("the count of %s is dropped, since the broker cannot add it: %s", name, answer)

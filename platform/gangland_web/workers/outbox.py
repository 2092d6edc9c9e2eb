"""The record worker's way to the broker: slots, code, orders."""

from collections.abc import Iterable

import msgspec
from celery import Celery

from gangland_ladder.analysis.received import AnalysisOrder
from gangland_ladder.matches.orders import Order, encode
from gangland_ladder.playing.hints import HintOrder
from gangland_ladder.playing.orders import TableOrder
from gangland_web.broker.link import connect, slots_by_host
from gangland_web.broker.names import (
    QUEUE_ANALYSIS,
    QUEUE_TABLES,
    TASK_ANALYSE,
    TASK_HINT,
    TASK_PLAY,
    TASK_TABLE,
    checkers_key,
    code_key,
    play_queues,
    queue_of,
    table_workers_key,
)
from gangland_web.workers.celery_app import send


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

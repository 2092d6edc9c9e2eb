"""The record worker's way to the broker: slots, code, orders."""

from celery import Celery

from gangland_ladder.orders import Order, encode
from gangland_web.broker.link import connect, count_slots
from gangland_web.broker.names import PLAY_QUEUES, TASK_PLAY, code_key
from gangland_web.celery_app import send


class Outbox:
    """Sends orders to match workers and lays the bots' sources ready for them."""

    def __init__(self, app: Celery, redis_url: str) -> None:
        """Use an application for messages and a connection of its own for the rest."""
        self._app = app
        self._redis = connect(redis_url)

    def slots(self) -> int:
        """Return how many matches can be played at a time now."""
        return count_slots(self._redis)

    def put_code(self, sha256: str, source: bytes, lasts_s: float) -> None:
        """Lay a bot's source ready for the workers."""
        self._redis.set(code_key(sha256), source, ex=int(lasts_s) + 1)

    def send(self, queue: str, order: Order) -> None:
        """Send an order to the workers."""
        send(self._app, TASK_PLAY, [encode(order).decode()], queue)

    def waiting(self) -> int:
        """Return how many orders no worker has taken yet."""
        return sum(int(self._redis.llen(queue)) for queue in PLAY_QUEUES)

"""What a match worker says to the record worker."""

import logging

import msgspec
from celery import Celery
from kombu.exceptions import OperationalError

from gangland_ladder.matches.orders import Claim, Order, Result, encode, fitted
from gangland_ladder.playing.orders import TableRows
from gangland_web.broker.names import TASK_BEAT, TASK_BEGUN, TASK_PROGRESS, TASK_RESULT, TASK_RETURNED, TASK_TABLE_ROWS
from gangland_web.workers.celery_app import send
from gangland_web.workers.match.watchdog import Stage

log = logging.getLogger(__name__)


class Messenger:
    """Sends a worker's messages; a result waits for a broker that is away, a beat does not."""

    def __init__(self, app: Celery) -> None:
        """Send through an application."""
        self._app = app
        self._queue = app.conf.task_default_queue

    def begun(self, order: Order) -> None:
        """Say that the match has begun."""
        send(self._app, TASK_BEGUN, [order.id, order.token], self._queue)

    def beat(self, order: Claim | Order) -> None:
        """Say that the match is still being played."""
        self._at_once(TASK_BEAT, [order.id, order.token])

    def progress(self, order: Order, stage: str) -> None:
        """Say that the bot on trial passed a stage of its check."""
        self._at_once(TASK_PROGRESS, [order.id, order.token, stage])

    def result(self, result: Result) -> None:
        """Send what came of the match."""
        send(self._app, TASK_RESULT, [encode(fitted(result)).decode()], self._queue)

    def answer(self, result: Result, within_s: float) -> None:
        """Send a result, trying for so long."""
        try:
            send(self._app, TASK_RESULT, [encode(fitted(result)).decode()], self._queue, within_s=within_s)
        except OperationalError as error:
            log.warning("the result of match %d could not be sent: %s", result.id, error)

    def returned(self, order: Claim | Order) -> None:
        """Say that the match was cut off here or never begun, by nobody's fault, and is to be played by another."""
        send(self._app, TASK_RETURNED, [order.id, order.token], self._queue)

    def _at_once(self, task: str, args: list[object]) -> None:
        try:
            send(self._app, task, args, self._queue, within_s=0.0)
        except OperationalError as error:
            log.warning("%s could not be sent: %s", task, error)


class TableMessenger:
    """Sends what a worker says of tables."""

    def __init__(self, app: Celery) -> None:
        """Send through an application."""
        self._app = app
        self._queue = app.conf.task_default_queue

    def rows(self, rows: TableRows) -> None:
        """Send what came of a table's order, waiting for a broker that is away."""
        self._send(rows, None)

    def beat(self, order: Claim) -> None:
        """Say that the bots of a table are being asked."""
        self._send(TableRows(order.id, order.token, done=False), 0.0)

    def answer(self, result: Result, within_s: float) -> None:
        """Say that nothing came of it, trying for so long."""
        self._send(TableRows(result.id, result.token, failed=result.void or "held up"), within_s)

    def _send(self, rows: TableRows, within_s: float | None) -> None:
        text = msgspec.json.encode(rows).decode()
        if within_s is None:
            send(self._app, TASK_TABLE_ROWS, [text], self._queue)
            return
        try:
            send(self._app, TASK_TABLE_ROWS, [text], self._queue, within_s=within_s)
        except OperationalError as error:
            log.warning("word of table %d could not be sent: %s", rows.id, error)


class WatchdogMessenger:
    """Says for a worker what its watchdog has to say, of a match or of a table."""

    def __init__(self, app: Celery) -> None:
        """Send through an application."""
        self._matches, self._tables = Messenger(app), TableMessenger(app)

    def beat(self, stage: Stage, order: Claim) -> None:
        """Say that an order is still worked on."""
        (self._tables if stage is Stage.TABLE else self._matches).beat(order)

    def answer(self, stage: Stage, result: Result, within_s: float) -> None:
        """Send a result, trying for so long."""
        (self._tables if stage is Stage.TABLE else self._matches).answer(result, within_s)

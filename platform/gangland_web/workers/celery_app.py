"""Create the Celery application; each process of the platform has its own."""

import logging
import time
import warnings
from collections.abc import Callable
from functools import cache, partial
from typing import Any, ClassVar, Literal

from celery import Celery
from celery.platforms import SecurityWarning
from kombu.entity import Queue
from kombu.exceptions import OperationalError
from kombu.transport import redis as kombu_redis
from redis import Redis

from gangland_web.broker import access, gate, names
from gangland_web.broker.link import WORKER_WAIT_S, celery_url

SEND_TIMEOUT_S = 100.0
SEND_RETRY_INTERVAL_S = 0.5


def make_celery(broker_url: str, *, role: Literal["match", "records", "analysis", "sender"] = "sender") -> Celery:
    """Return a Celery application for a match worker, the record worker, an analysis worker, or a sender.

    The workers' transports drop messages that the gate (`broker.gate`) refuses.  A match worker uses the queues of the
    host whose credentials are in the URL, and does not wait long for a stalled broker.  The record worker takes turns
    between its own queue and each host's queue, so that one busy sender does not keep the others waiting.
    """
    address = celery_url(broker_url)
    app = Celery("gangland", broker=address, set_as_current=False)
    app.conf.update(_configuration())
    url = address.removeprefix("redis+")
    if role == "match":
        host, _ = access.credential_of(broker_url)
        records_of_host = names.queue_of(names.QUEUE_RECORDS, host)
        queues = {name: queue_declaration(name) for name in (*names.job_queues(host), records_of_host)}
        app.conf.update(broker_url=url, broker_transport=transport_name(url, "runs"))
        app.conf.update(task_queues=queues, task_default_queue=records_of_host)
        app.conf.broker_transport_options |= {"socket_timeout": WORKER_WAIT_S, "socket_connect_timeout": WORKER_WAIT_S}
    elif role == "analysis":
        queues = {
            name: queue_declaration(name) for name in (names.QUEUE_SOON, names.QUEUE_ANALYSIS, names.QUEUE_ANALYZED)
        }
        app.conf.update(broker_url=url, broker_transport=transport_name(url, "runs"))
        app.conf.update(task_queues=queues, task_default_queue=names.QUEUE_ANALYZED)
    elif role == "records":
        app.conf.update(broker_url=url, broker_transport=transport_name(url, "records"))
        app.conf.broker_transport_options |= {"queue_order_strategy": "round_robin"}
    return app


def queue_declaration(queue: str) -> dict[str, str]:
    """Return a queue's declaration on the default exchange, where its name is the routing key and needs no binding."""
    return {"exchange": "", "routing_key": queue}


def send(app: Celery, task: str, args: list[Any], queue: str, *, timeout_s: float = SEND_TIMEOUT_S) -> None:
    """Send a task, retrying for `timeout_s` seconds while the broker is not reachable or does not answer.

    Raises OperationalError: the broker is not reachable.
    """
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            # Celery's own retries stop immediately if the broker accepts the connection but does not answer.
            app.send_task(task, args=args, queue=_declared_queue(queue), ignore_result=True, retry=False)
        except OperationalError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(SEND_RETRY_INTERVAL_S)
        else:
            return


@cache
def _declared_queue(queue: str) -> Queue:
    declaration: Queue = Queue.from_dict(queue, **queue_declaration(queue))  # type: ignore[no-untyped-call]
    return declaration


def _configuration() -> dict[str, Any]:
    queues = {name: queue_declaration(name) for name in (names.QUEUE_RECORDS, names.QUEUE_MAILS, names.QUEUE_ANALYZED)}
    return {
        "accept_content": ["json"],
        "task_ignore_result": True,
        "task_acks_late": False,
        "task_create_missing_queues": False,
        "task_default_queue": names.QUEUE_RECORDS,
        "task_default_exchange": "",
        "task_queues": queues,
        "worker_enable_remote_control": False,
        "worker_prefetch_multiplier": 1,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "worker_detect_quorum_queues": False,
        "broker_heartbeat": 0,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_transport_options": {
            "queue_order_strategy": "priority",
            "priority_steps": [0],
            # Unacknowledged messages are not tracked. Lost jobs are resent from their rows in the database. Also, a
            # full broker could not store the tracking data, and match workers would need permission to write it.
            "ack_emulation": False,
            "health_check_interval": 0,
        },
        "timezone": "UTC",
    }


def run_worker(app: Celery, queues: list[str], name: str) -> int:
    """Run tasks in this process, one at a time, until a signal arrives; return the exit status."""
    worker = make_worker(app, queues, name)
    worker.start()
    return int(worker.exitcode or 0)


def make_worker(app: Celery, queues: list[str], name: str) -> Any:
    """Return a worker that has not started yet, with a solo pool and without gossip, mingle or heartbeat."""
    with warnings.catch_warnings():
        # Celery warns about root, but a match worker drops root privileges before it receives a message.
        warnings.simplefilter("ignore", SecurityWarning)
        return app.Worker(
            hostname=f"{name}@gangland",
            pool="solo",
            concurrency=1,
            queues=queues,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
            task_events=False,
            loglevel="WARNING",
            quiet=True,
        )


# Kombu transports that receive messages through the gate.

log = logging.getLogger(__name__)

AllowedTasks = Callable[[str], frozenset[str]]  # returns the tasks allowed in a queue


class GatedClient(Redis):
    """A client that drops the items that the gate refuses."""

    def __init__(self, *args: Any, tasks: AllowedTasks, **kwargs: Any) -> None:
        """Accept only the `tasks` allowed in a queue."""
        super().__init__(*args, **kwargs)
        self._tasks = tasks

    def parse_response(self, connection: Any, command_name: Any, **options: Any) -> Any:
        """Return the reply to a command; if BRPOP returned a refused item, the reply is that of an empty queue."""
        reply = super().parse_response(connection, command_name, **options)  # type: ignore[no-untyped-call]
        if command_name != "BRPOP" or not reply:
            return reply
        queue = reply[0].decode()
        try:
            item = gate.admit(reply[1], queue, self._tasks(queue), names.sender_of(queue))
        except gate.InvalidItem as error:
            log.warning("dropped an unknown item from the queue %s: %s", queue, error)
            return None
        return None if item is None else (reply[0], item)


class GatedChannel(kombu_redis.Channel):
    """A channel whose messages pass through the gate."""

    tasks: ClassVar[frozenset[str] | None] = None  # the allowed tasks; None if they depend on the queue

    def _get_client(self) -> Callable[..., Redis]:
        super()._get_client()  # type: ignore[no-untyped-call]  # checks versions
        tasks = self.tasks
        return partial(GatedClient, tasks=names.tasks_from if tasks is None else lambda _: tasks)


class RunChannel(GatedChannel):
    """The channel of a match worker or an analysis worker."""

    tasks = names.RUN_TASKS


class RecordChannel(GatedChannel):
    """The record worker's channel."""


class RunTransport(kombu_redis.Transport):
    """Connects a match worker or an analysis worker to a broker on a network."""

    Channel = RunChannel


class RunSocketTransport(RunTransport):
    """Connects a match worker or an analysis worker to a broker on a unix socket; the channel parses the address."""

    can_parse_url = True


class RecordTransport(kombu_redis.Transport):
    """Connects the record worker to a broker on a network."""

    Channel = RecordChannel


class RecordSocketTransport(RecordTransport):
    """Connects the record worker to a broker on a unix socket; the channel parses the address."""

    can_parse_url = True


_TRANSPORTS = {"runs": (RunTransport, RunSocketTransport), "records": (RecordTransport, RecordSocketTransport)}


def transport_name(address: str, use: Literal["runs", "records"]) -> str:
    """Return the name of the gated transport for a broker's address, as Celery expects it."""
    transport, socket_transport = _TRANSPORTS[use]
    kind = socket_transport if address.startswith("socket://") else transport
    return f"{__name__}:{kind.__name__}"

"""Which hosts' queues the record worker takes from, while it runs."""

from collections.abc import Iterable
from typing import Any

from celery import Celery, bootsteps

from gangland_web.broker.names import QUEUE_RECORDS, queue_of
from gangland_web.workers.celery_app import on_default_exchange


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

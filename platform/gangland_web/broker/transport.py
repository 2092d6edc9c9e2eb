"""Kombu's Redis transports for those who take from queues that match workers may push to.

Both let in only what the gate admits.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Literal

from kombu.transport import redis as kombu_redis
from redis import Redis

from gangland_web.broker.gate import ItemRefused, admit
from gangland_web.broker.names import ANALYSIS_TASKS, PLAY_TASKS, sender_of, tasks_from

log = logging.getLogger(__name__)

Tasks = Callable[[str], frozenset[str]]
"""What may come by a queue."""


class GatedClient(Redis):
    """A client for which an item that the gate refuses was never there."""

    def __init__(self, *args: Any, tasks: Tasks, **named: Any) -> None:
        """Take calls of the `tasks` of a queue alone; everything else is the plain client's."""
        super().__init__(*args, **named)
        self._tasks = tasks

    def parse_response(self, connection: Any, command_name: Any, **options: Any) -> Any:
        """Return a command's reply; a refused item makes that of BRPOP the one of an empty queue."""
        reply = super().parse_response(connection, command_name, **options)  # type: ignore[no-untyped-call]
        if command_name != "BRPOP" or not reply:
            return reply
        queue = reply[0].decode()
        try:
            item = admit(reply[1], queue, self._tasks(queue), sender_of(queue))
        except ItemRefused as refused:
            log.warning("an item of the queue %s is none of ours and was dropped: %s", queue, refused)
            return None
        return None if item is None else (reply[0], item)


class GatedChannel(kombu_redis.Channel):
    """A channel that takes through the gate."""

    tasks: ClassVar[frozenset[str] | None] = None
    """What may come; None where that depends on the queue."""

    def _get_client(self) -> Callable[..., Redis]:
        super()._get_client()  # type: ignore[no-untyped-call]  # it checks versions
        tasks = self.tasks
        return partial(GatedClient, tasks=tasks_from if tasks is None else lambda _: tasks)


class PlayChannel(GatedChannel):
    """A match worker's channel."""

    tasks = PLAY_TASKS


class AnalysisChannel(GatedChannel):
    """The channel of a worker that analyses games."""

    tasks = ANALYSIS_TASKS


class RecordChannel(GatedChannel):
    """The record worker's channel."""


class PlayTransport(kombu_redis.Transport):
    """A match worker's transport to a broker on a network."""

    Channel = PlayChannel


class PlaySocketTransport(PlayTransport):
    """The same to a broker on a unix socket, whose address the channel reads by itself."""

    can_parse_url = True


class AnalysisTransport(kombu_redis.Transport):
    """The transport of a worker that analyses games to a broker on a network."""

    Channel = AnalysisChannel


class AnalysisSocketTransport(AnalysisTransport):
    """The same to a broker on a unix socket, whose address the channel reads by itself."""

    can_parse_url = True


class RecordTransport(kombu_redis.Transport):
    """The record worker's transport to a broker on a network."""

    Channel = RecordChannel


class RecordSocketTransport(RecordTransport):
    """The same to a broker on a unix socket, whose address the channel reads by itself."""

    can_parse_url = True


_TRANSPORTS = {
    "plays": (PlayTransport, PlaySocketTransport),
    "analyses": (AnalysisTransport, AnalysisSocketTransport),
    "records": (RecordTransport, RecordSocketTransport),
}


def transport_name(address: str, whose: Literal["plays", "analyses", "records"]) -> str:
    """Return the transport for a broker's address as Celery takes it, of those who do so."""
    plain, by_socket = _TRANSPORTS[whose]
    kind = by_socket if address.startswith("socket://") else plain
    return f"{__name__}:{kind.__name__}"

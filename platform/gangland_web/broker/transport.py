"""Kombu's Redis transports for those who take from queues that match workers may push to.

Both let in only what the gate admits.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from kombu.transport import redis as kombu_redis
from redis import Redis

from gangland_web.broker.gate import ItemRefused, admit
from gangland_web.broker.names import HOST_TASKS, PLAY_TASKS, RECORD_TASKS, sender_of

log = logging.getLogger(__name__)


class GatedClient(Redis):
    """A client for which an item that the gate refuses was never there."""

    def __init__(self, *args: Any, tasks: frozenset[str], **named: Any) -> None:
        """Take calls of `tasks` alone; everything else is the plain client's."""
        super().__init__(*args, **named)
        self._tasks = tasks

    def parse_response(self, connection: Any, command_name: Any, **options: Any) -> Any:
        """Return a command's reply; a refused item makes that of BRPOP the one of an empty queue."""
        reply = super().parse_response(connection, command_name, **options)  # type: ignore[no-untyped-call]
        if command_name != "BRPOP" or not reply:
            return reply
        queue = reply[0].decode()
        try:
            sender = sender_of(queue)
            item = admit(reply[1], queue, self._tasks if sender is None else HOST_TASKS, sender)
        except ItemRefused as refused:
            log.warning("an item of the queue %s is none of ours and was dropped: %s", queue, refused)
            return None
        return None if item is None else (reply[0], item)


class GatedChannel(kombu_redis.Channel):
    """A channel that takes through the gate."""

    tasks: ClassVar[frozenset[str]] = frozenset()

    def _get_client(self) -> Callable[..., Redis]:
        super()._get_client()  # type: ignore[no-untyped-call]  # it checks versions
        return partial(GatedClient, tasks=self.tasks)


class PlayChannel(GatedChannel):
    """A match worker's channel."""

    tasks = PLAY_TASKS


class RecordChannel(GatedChannel):
    """The record worker's channel."""

    tasks = RECORD_TASKS


class PlayTransport(kombu_redis.Transport):
    """A match worker's transport to a broker on a network."""

    Channel = PlayChannel


class PlaySocketTransport(PlayTransport):
    """The same to a broker on a unix socket, whose address the channel reads by itself."""

    can_parse_url = True


class RecordTransport(kombu_redis.Transport):
    """The record worker's transport to a broker on a network."""

    Channel = RecordChannel


class RecordSocketTransport(RecordTransport):
    """The same to a broker on a unix socket, whose address the channel reads by itself."""

    can_parse_url = True


def transport_name(address: str, *, plays: bool) -> str:
    """Return the transport for a broker's address as Celery takes it: a match worker's, or the record worker's."""
    plain, by_socket = (PlayTransport, PlaySocketTransport) if plays else (RecordTransport, RecordSocketTransport)
    kind = by_socket if address.startswith("socket://") else plain
    return f"{__name__}:{kind.__name__}"

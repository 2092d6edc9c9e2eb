"""The gate: which messages are taken from a queue, and the transports that use it."""

import logging
from base64 import b64encode
from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial
from typing import Annotated, Any, ClassVar, Literal
from uuid import uuid4

import msgspec
from kombu.transport import redis as kombu_redis
from msgspec import Meta, Struct
from redis import Redis

from gangland_web.base.formats import now_s
from gangland_web.broker.names import RUN_TASKS, sender_of, tasks_from

# Messages: calls of tasks that we know, in the one form in which we send them.
#
# A worker host may push to its own queues, so messages there are not trusted. Celery and kombu would trust them:
# an item that is not JSON ends the process that takes it, a callback is sent on in that process's name, and a
# compressed body grows without limit in its memory.


ITEM_BYTES = 48 * 1024 * 1024
"""More than the result of an honest worker, which fits its logs into `match_orders.RESULT_BYTES`."""

REASON_CHARS = 200


class ItemRefused(ValueError):
    """An item is none of ours; the message says what it lacks."""


class _Empty(Struct, forbid_unknown_fields=True):
    pass


class _Following(Struct, forbid_unknown_fields=True):
    """What Celery may be asked to do after a task: nothing, ever."""

    callbacks: None = None
    errbacks: None = None
    chain: None = None
    chord: None = None


_Argument = Annotated[int, Meta(ge=0, le=2**53)] | str
_Call = tuple[list[_Argument], _Empty, _Following]


class _Headers(Struct):
    lang: Literal["py"]
    task: str
    id: Annotated[str, Meta(pattern=r"\A[0-9a-f-]{1,64}\Z")]
    eta: None = None
    group: None = None
    compression: None = None
    expires: Annotated[datetime, Meta(tz=True)] | None = None


class _Properties(Struct):
    body_encoding: Literal["base64"]


class _Item(Struct):
    body: bytes
    content_type: Literal["application/json"] = msgspec.field(name="content-type")
    content_encoding: Literal["utf-8"] = msgspec.field(name="content-encoding")
    headers: _Headers
    properties: _Properties


def admit(item: bytes, queue: str, tasks: Collection[str], sender: str | None = None) -> bytes | None:
    """Return an item rewritten with only its task, id and arguments; None for one that has expired.

    Args:
        sender: the owner of the queue; becomes the first argument, so that no message itself says who sent it.

    Raises:
        ItemRefused: it is not a plain call of one of these tasks, as `celery_app.send` writes it.
    """
    if len(item) > ITEM_BYTES:
        raise ItemRefused(f"{len(item)} bytes, over {ITEM_BYTES}")
    try:
        read = msgspec.json.decode(item, type=_Item)
        arguments, _, _ = msgspec.json.decode(read.body, type=_Call)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ItemRefused(ascii(str(error))[:REASON_CHARS]) from error
    if read.headers.task not in tasks:
        raise ItemRefused(f"no task {read.headers.task[:REASON_CHARS]!a} here")
    expires = read.headers.expires
    if expires is not None and expires.timestamp() < now_s():
        return None
    return _written(read.headers.task, read.headers.id, arguments if sender is None else [sender, *arguments], queue)


def call_of(task: str, queue: str, *arguments: str) -> bytes:
    """Return the item that calls a task, for a process that has no Celery."""
    return _written(task, str(uuid4()), [*arguments], queue)


def _written(task: str, call_id: str, arguments: list[_Argument], queue: str) -> bytes:
    body = msgspec.json.encode((arguments, {}, _Following()))
    return msgspec.json.encode(
        {
            "body": b64encode(body).decode(),
            "content-type": "application/json",
            "content-encoding": "utf-8",
            "headers": {"lang": "py", "task": task, "id": call_id},
            "properties": {
                "body_encoding": "base64",
                "delivery_info": {"exchange": "", "routing_key": queue},
                "delivery_tag": str(uuid4()),
            },
        }
    )


# Transports of kombu for processes that take from queues that match workers may push to.


log = logging.getLogger(__name__)

Tasks = Callable[[str], frozenset[str]]
"""The tasks that may come from a queue."""


class GatedClient(Redis):
    """A client that drops the items that the gate refuses."""

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

    tasks = RUN_TASKS


class AnalysisChannel(GatedChannel):
    """The channel of a worker that analyzes games."""

    tasks = RUN_TASKS


class RecordChannel(GatedChannel):
    """The record worker's channel."""


class PlayTransport(kombu_redis.Transport):
    """A match worker's transport to a broker on a network."""

    Channel = PlayChannel


class PlaySocketTransport(PlayTransport):
    """The same to a broker on a unix socket, whose address the channel reads by itself."""

    can_parse_url = True


class AnalysisTransport(kombu_redis.Transport):
    """The transport of a worker that analyzes games to a broker on a network."""

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

"""What may come in from a queue: calls of tasks that we know, in the one form in which we send them.

A worker host may push to its own queues, so what lies there is the word of a stranger.  Celery and
kombu believe it: an item that is no JSON ends whoever takes it, a callback is sent on in its
taker's name, a compressed body grows without bound in its taker's memory.
"""

from base64 import b64encode
from collections.abc import Collection
from datetime import datetime
from typing import Annotated, Literal
from uuid import uuid4

import msgspec
from msgspec import Meta, Struct

from gangland_web.base.clock import now_s

ITEM_BYTES = 48 * 1024 * 1024
"""More than a result comes to that an honest worker sends: it fits its logs into `orders.RESULT_BYTES`."""

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
    """Return an item written anew with nothing in it but its task, id and arguments; None for one past its time.

    Args:
        sender: whose queue it is; becomes the first argument, so that no message says by itself who sent it.

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

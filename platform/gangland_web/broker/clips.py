"""Clips on the broker: requests of pages, and the clips that were made.

A clip is requested once, under a key of the page's choice; the request expires, so that a clip that never came can be
requested again.  Clips are in one list until a page takes them; both lists are short.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from enum import Enum, auto
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta, Struct

from gangland_ladder.common.runtime import this_release
from gangland_ladder.viewer.clip_orders import ClipOrder
from gangland_ladder.viewer.clips import MOST_BYTES
from gangland_web.base.formats import now_s
from gangland_web.broker.gate import call_of
from gangland_web.broker.names import CLIP_REQUEST_PREFIX, QUEUE_CLIPS, QUEUE_CLIPS_MADE, TASK_CLIP

if TYPE_CHECKING:
    import redis

log = logging.getLogger("gangland_web.broker")

WAITING: Final = 8
"""At most this many clips wait to be made or to be taken."""
REQUEST_LASTS_S: Final = 400
FAILED_LASTS_S: Final = 600
"""How long a clip is not requested again after a request, and after it could not be made."""
ENVELOPE_BYTES: Final = 1024
"""The most that a clip's key, token and frame take."""
_FAILED: Final = b"failed"


class Requested(Enum):
    """The result of a request for a clip."""

    YES = auto()
    ALREADY = auto()
    FULL = auto()
    FAILED = auto()


class ClipRequest(Struct, forbid_unknown_fields=True):
    """A request; after `until`, in seconds since 1970, no page waits for it any more."""

    key: str
    token: str
    until: float
    release: str
    order: ClipOrder


class ClipMade(Struct, forbid_unknown_fields=True):
    """A clip that was made; `body` is empty if it could not be."""

    key: Annotated[str, Meta(max_length=64)]
    token: Annotated[str, Meta(max_length=64)]
    body: bytes


def standing(client: redis.Redis, key: str) -> Requested | None:
    """Return whether a clip is requested already, or could not be made; None if neither."""
    kept = client.get(CLIP_REQUEST_PREFIX + key)
    return None if kept is None else Requested.FAILED if kept == _FAILED else Requested.ALREADY


def ask(client: redis.Redis, key: str, order: ClipOrder) -> Requested:
    """Request a clip, unless it is requested already or too many wait."""
    if int(client.llen(QUEUE_CLIPS)) + int(client.llen(QUEUE_CLIPS_MADE)) >= WAITING:
        return Requested.FULL
    token = secrets.token_hex(16)
    if not client.set(CLIP_REQUEST_PREFIX + key, token, nx=True, ex=REQUEST_LASTS_S):
        return Requested.ALREADY
    request = ClipRequest(key, token, now_s() + REQUEST_LASTS_S, this_release(), order)
    client.lpush(QUEUE_CLIPS, call_of(TASK_CLIP, QUEUE_CLIPS, msgspec.json.encode(request).decode()))
    return Requested.YES


def take_made(client: redis.Redis) -> Iterator[tuple[str, bytes]]:
    """Take what was made: yield the key and the bytes of each clip that was asked for; the others are dropped."""
    for _ in range(2 * WAITING):
        item = client.rpop(QUEUE_CLIPS_MADE)
        if item is None:
            return
        if not isinstance(item, bytes) or len(item) > MOST_BYTES + ENVELOPE_BYTES:
            log.warning("what came as a clip is over %d bytes", MOST_BYTES)
            continue
        try:
            made = msgspec.msgpack.decode(item, type=ClipMade)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            log.warning("what came as a clip is none: %s", error)
            continue
        name = CLIP_REQUEST_PREFIX + made.key
        if client.get(name) != made.token.encode():
            continue
        if made.body:
            yield made.key, made.body
            client.delete(name)
        else:
            client.set(name, _FAILED, ex=FAILED_LASTS_S)


def send_made(client: redis.Redis, request: ClipRequest, body: bytes) -> None:
    """Put the clip of a request into the list; an empty `body` says that it could not be made."""
    client.lpush(QUEUE_CLIPS_MADE, msgspec.msgpack.encode(ClipMade(request.key, request.token, body)))

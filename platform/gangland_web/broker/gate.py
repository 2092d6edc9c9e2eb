"""Messages about jobs, and the gate that checks every message from a queue."""

from base64 import b64encode
from collections.abc import Collection
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import uuid4

import msgspec
from msgspec import Meta, Raw, Struct

from gangland_ladder.common.release import this_release
from gangland_ladder.matches.match_jobs import Id, Release, Token
from gangland_web.base.formats import now_s

# Messages about jobs: the site sends the payload to a worker, which replies with its progress and the result.

NOTHING = Raw(b"null")
JOB_CHARS = 64 * 1024 * 1024  # larger than a match with all its logs


class InvalidMessage(ValueError):
    """The text is not a valid message about a job; the error's message explains why."""


class Message(Struct, frozen=True):
    """A message about a job; its Celery task is one of `names.RUN_TASKS` or `names.WORKER_TASKS`.

    A message from another release may have more fields; it is recognized by its `release`.
    """

    kind: Annotated[str, Meta(pattern=r"\A[a-z-]{1,24}\Z")]
    job: Id
    token: Token  # of the lease
    body: Raw = NOTHING  # JSON whose form depends on `kind`: the payload, a part of the result, or the result
    until: float = 0.0  # the end of the lease in Unix seconds; a worker drops a job that it receives later
    release: Release = msgspec.field(default_factory=this_release)  # of the sender

    def answer(self, body: Any = None) -> "Message":
        """Return a reply to this message."""
        return Message(self.kind, self.job, self.token, Raw(msgspec.json.encode(body)))

    @property
    def is_late(self) -> bool:
        """Whether the lease has ended."""
        return now_s() > self.until


def encode_message(message: Message) -> str:
    """Return a message as the text to send."""
    return msgspec.json.encode(message).decode()


def decode_message(text: object) -> Message:
    """Parse a message.  Raises InvalidMessage: the message is malformed or too long."""
    if not isinstance(text, str) or len(text) > JOB_CHARS:
        raise InvalidMessage(f"it is not a text of at most {JOB_CHARS} characters")
    try:
        return msgspec.json.decode(text, type=Message)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InvalidMessage(f"it is not a valid message: {error}") from error


# The gate, which allows only calls of known tasks, in exactly the form that the platform sends.
#
# A worker host may push to its own queues, so messages in them are not trusted. Celery and kombu would trust them: an
# item that is not JSON ends the process that receives it, a callback is sent on behalf of that process, and a
# compressed body is expanded in memory without a limit.

# Larger than any result from an honest worker, which truncates its logs to fit into `match_jobs.RESULT_BYTES`.
ITEM_BYTES = 48 * 1024 * 1024

REASON_CHARS = 200


class InvalidItem(ValueError):
    """An item is not a call in the form that the platform sends; the message explains why."""


class _Empty(Struct, forbid_unknown_fields=True):
    pass


class _FollowUps(Struct, forbid_unknown_fields=True):
    """Celery's fields for follow-up tasks, which must be empty."""

    callbacks: None = None
    errbacks: None = None
    chain: None = None
    chord: None = None


_Argument = Annotated[int, Meta(ge=0, le=2**53)] | str
_Call = tuple[list[_Argument], _Empty, _FollowUps]


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
    """Return an item rewritten with only its task, id and arguments, or None if it has expired.

    The `sender`, the owner of the queue, becomes the first argument, so that a message cannot choose its sender.
    Raises InvalidItem: the item is not a plain call of one of these tasks, as `celery_app.send` creates it.
    """
    if len(item) > ITEM_BYTES:
        raise InvalidItem(f"it has {len(item)} bytes, more than {ITEM_BYTES}")
    try:
        parsed = msgspec.json.decode(item, type=_Item)
        arguments, _, _ = msgspec.json.decode(parsed.body, type=_Call)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidItem(ascii(str(error))[:REASON_CHARS]) from error
    if parsed.headers.task not in tasks:
        raise InvalidItem(f"the task {parsed.headers.task[:REASON_CHARS]!a} is not allowed here")
    expires = parsed.headers.expires
    if expires is not None and expires.timestamp() < now_s():
        return None
    sent_arguments = arguments if sender is None else [sender, *arguments]
    return _encode_message(parsed.headers.task, parsed.headers.id, sent_arguments, queue)


def encode_call(task: str, queue: str, *arguments: str) -> bytes:
    """Return an item that calls a task, for processes without Celery."""
    return _encode_message(task, str(uuid4()), [*arguments], queue)


def _encode_message(task: str, call_id: str, arguments: list[_Argument], queue: str) -> bytes:
    body = msgspec.json.encode((arguments, {}, _FollowUps()))
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

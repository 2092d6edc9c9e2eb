"""The message about a job: to a worker with its order, and back with what became of it."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

from gangland_ladder.common.runtime import this_release
from gangland_ladder.matches.match_orders import Id, Release, Token
from gangland_web.base.formats import now_s

NOTHING = Raw(b"null")
ORDER_CHARS = 64 * 1024 * 1024
"""More than a match with all its logs can come to."""


class MessageRefused(ValueError):
    """What was sent is not a message about a job; the text says why."""


class Message(Struct, frozen=True):
    """A message about a job; which of run, alive, result and returned it is, the name of its task says.

    One of another release may have more fields, and is known by its release.

    Attributes:
        kind: of the job; job: its id; token: of its lease.
        body: JSON of the job's kind: its order, a part of its result, or the result.
        until: when the lease ends, in seconds since 1970; a run that comes later is dropped.
        release: of the sender.
    """

    kind: Annotated[str, Meta(pattern=r"\A[a-z-]{1,24}\Z")]
    job: Id
    token: Token
    body: Raw = NOTHING
    until: float = 0.0
    release: Release = msgspec.field(default_factory=this_release)

    def answer(self, body: Any = None) -> "Message":
        """Return a message to the sender of this one."""
        return Message(self.kind, self.job, self.token, Raw(msgspec.json.encode(body)))

    @property
    def is_late(self) -> bool:
        """Whether the lease has ended."""
        return now_s() > self.until


def encode_message(message: Message) -> str:
    """Return a message as it is sent."""
    return msgspec.json.encode(message).decode()


def decode_message(text: object) -> Message:
    """Read a message.

    Raises:
        MessageRefused: it has not that form.
    """
    if not isinstance(text, str) or len(text) > ORDER_CHARS:
        raise MessageRefused(f"it is not a text of at most {ORDER_CHARS} characters")
    try:
        return msgspec.json.decode(text, type=Message)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise MessageRefused(f"it has not the form of a message: {error}") from error

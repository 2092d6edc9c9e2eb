"""Frames between the referee and the jail.  No other module parses bytes from a bot.

Frames to the bot use marshal: the referee is trusted, and the interpreter is the same.  Frames from the bot have a
maximum size, checked before they are read, and their bodies are parsed strictly.
"""

from marshal import dumps
from typing import Annotated, Final

import msgspec

from gangland_sandbox.inside import ANSWER, DONE, ERROR, HEADER, LARGEST_INT, LENGTH, LOG, MESSAGE_CHARS, READY

WireDecision = None | int | list["WireDecision"]
"""A decision in a frame: None, a whole number, or lists of these, nested up to three deep."""

LOG_FRAME_BYTES: Final = 16_384
TEXT_FRAME_BYTES: Final = 8_192
NAME_CHARS: Final = 80
MAX_LINE: Final = 1_000_000
_SELECTORS: Final = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_BLANKS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0").union(
    chr(code) for codes in _SELECTORS for code in codes
)
"""Characters that are invisible or only modify the preceding character, although Unicode counts them as printable."""
HINTS: Final = frozenset({"crashed", "illegal", "import_error"})

_Number = Annotated[int, msgspec.Meta(ge=-LARGEST_INT, le=LARGEST_INT)]
_Answer = _Number | list[_Number | list[_Number | list[_Number | None] | None] | None] | None
_decode = msgspec.json.Decoder(_Answer).decode


class FrameError(ValueError):
    """The bot sent bytes that do not form a frame that is allowed now."""


class OversizeError(FrameError):
    """A frame is larger than the limit for its kind."""


_WITHOUT_REFERENCES: Final = 2
"""The marshal version without references to repeated objects; it encodes a view in half the time.  The
bytes depend only on the values, so they can be rebuilt from the view later."""
_TUPLE_BYTES: Final = len(dumps((), _WITHOUT_REFERENCES))
_QUESTION_OFFSET: Final = LENGTH.size + len(dumps(("ask", 0, ()), _WITHOUT_REFERENCES))
_CLOCK_BYTES: Final = len(dumps((0.0, 0.0, 0.0), _WITHOUT_REFERENCES)) - _TUPLE_BYTES


def encode_request(action: str, number: int, arguments: tuple[object, ...]) -> bytes:
    """Return a request as one frame to the bot."""
    body = dumps((action, number, arguments), _WITHOUT_REFERENCES)  # type: ignore[arg-type]
    return LENGTH.pack(len(body)) + body


def question_bytes(kind: str, view_wire: object) -> bytes:
    """Return the bytes of a question in its frame: its kind and view, without the clock."""
    return dumps((kind, view_wire), _WITHOUT_REFERENCES)[_TUPLE_BYTES:]  # type: ignore[arg-type]


def question_bytes_in(frame: bytes) -> bytes:
    """Return the same bytes as `question_bytes`, taken from a question's frame (kind, view and three clocks)."""
    return frame[_QUESTION_OFFSET:-_CLOCK_BYTES]


def decode_answer(body: bytes) -> WireDecision:
    """Return the decision in an answer's body.  Raises FrameError: not JSON, or not in the form of a decision."""
    try:
        answer: WireDecision = _decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FrameError(f"the answer {clean(repr(body[:60]))} is not a decision: {clean(str(error))}") from error
    return answer


def decode_error(body: bytes) -> tuple[str, str]:
    """Return (hint, message) of an error frame; unknown hints count as crashed."""
    hint, _, message = body.decode("utf-8", "replace").partition("\n")
    return (hint if hint in HINTS else "crashed"), clean(message[:MESSAGE_CHARS])


def decode_ready(body: bytes) -> tuple[str, dict[str, int]]:
    """Return the bot's name and the line number of each of its methods; ignore malformed rows."""
    name, *rows = body.decode("utf-8", "replace").split("\n")
    lines: dict[str, int] = {}
    for row in rows[:64]:
        kind, _, number = row.partition("=")
        if number.isascii() and number.isdigit() and len(number) <= 7 and int(number) <= MAX_LINE:
            lines[clean(kind)[:NAME_CHARS]] = int(number)
    return clean(name).replace("\n", " ")[:NAME_CHARS], lines


def clean(text: str) -> str:
    """Return printable text: escape control, bidi and blank characters, expand tabs, drop CRs, and keep newlines."""
    return "".join(
        char if char == "\n" or (char.isprintable() and char not in _BLANKS) else _escape(char) for char in text
    )


def _escape(char: str) -> str:
    return "    " if char == "\t" else "" if char == "\r" else f"\\u{ord(char):04x}"


def whole_frame(data: bytes, kind: int, number: int, limit: int) -> bytes | None:
    """Return the body if the data is exactly one frame of this kind and number (the usual case), else None."""
    size = len(data) - HEADER.size
    if 0 <= size <= limit and HEADER.unpack_from(data) == (size, kind, number):
        return data[HEADER.size :]
    return None


class FrameReader:
    """Splits the bot's bytes into frames; buffers at most one unfinished frame."""

    __slots__ = ("_buffer", "_limits")

    def __init__(self, answer_bytes: int) -> None:
        self._buffer = b""
        self._limits = {
            READY: TEXT_FRAME_BYTES,
            DONE: 0,
            ANSWER: answer_bytes,
            LOG: LOG_FRAME_BYTES,
            ERROR: TEXT_FRAME_BYTES,
        }

    def limit_of(self, kind: int) -> int:
        """Return the maximum length of the body of a frame of this kind, in bytes."""
        return self._limits[kind]

    def feed(self, data: bytes) -> None:
        """Add bytes from the pipe."""
        self._buffer = self._buffer + data if self._buffer else data

    def next(self) -> tuple[int, int, bytes] | None:
        """Return the next (kind, number, body), or None if it is incomplete.  Raises FrameError: bad kind or length."""
        buffer = self._buffer
        if len(buffer) < HEADER.size:
            return None
        size, kind, number = HEADER.unpack_from(buffer)
        limit = self._limits.get(kind)
        if limit is None:
            raise FrameError(f"the bot wrote {clean(repr(buffer[:40]))} on the answer pipe, which is not a frame")
        if size > limit:
            raise OversizeError(f"a frame of {size:,} bytes; the limit is {limit:,}")
        end = HEADER.size + size
        if len(buffer) < end:
            return None
        self._buffer = buffer[end:]
        return kind, number, buffer[HEADER.size : end]

    @property
    def empty(self) -> bool:
        """Whether no partial frame is left in the buffer."""
        return not self._buffer

"""Requests as they are read from a connection: waitress' parser, and what it is too friendly about refused."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlsplit

from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import ChunkedReceiver
from waitress.utilities import BadRequest, Error

LINE_BYTES: Final = 4094
"""The longest request line; a longer one is answered with 414."""
HEAD_BYTES: Final = 16 * 1024
"""The longest head; a longer one is answered with 431."""
HEADERS: Final = 100
"""More headers are answered with 431."""
CHUNK_LINE_BYTES: Final = 256
TRAILER_BYTES: Final = 4096
OVERHEAD_BYTES: Final = 32 * 1024
"""So much of a chunked body may be lengths and not content: tiny chunks cost time, each of them."""

_LINE: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Z-]{1,32} [\x21-\x7e\x80-\xff]+ HTTP/1\.[01]")
_FORBIDDEN: Final = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
_LENGTH: Final = re.compile(rb"[0-9]{1,15}")
_ONCE: Final = frozenset({b"HOST", b"CONTENT-LENGTH", b"TRANSFER-ENCODING", b"CONTENT-TYPE", b"AUTHORIZATION"})


class LineTooLong(Error):
    """The request line is longer than LINE_BYTES."""

    code = 414
    reason = "URI Too Long"


class HeadTooLong(Error):
    """The head is longer than HEAD_BYTES, or has more than HEADERS headers."""

    code = 431
    reason = "Request Header Fields Too Large"


class Chunks(ChunkedReceiver):
    """A chunked body whose lines, trailer and lengths have a bound: waitress reads them again with all that comes."""

    def __init__(self, buf: Any) -> None:
        """Begin with no chunk."""
        super().__init__(buf)
        self._taken = 0

    def received(self, s: bytes) -> int:
        """Take in bytes; return how many of them belong to the body."""
        taken: int = super().received(s)
        self._taken += taken
        long = len(self.control_line) > CHUNK_LINE_BYTES or len(self.trailer) > TRAILER_BYTES
        if long or self._taken - len(self) > OVERHEAD_BYTES:
            self.error = BadRequest("more lengths than content")
        return taken


class RequestParser(HTTPRequestParser):
    """One request; what two readers could read in two ways is refused.

    `error` is set on a request that is refused, and its answer is the last on its connection.
    """

    path = ""
    command = ""
    body_rcv: Any

    def __init__(self, adj: Any) -> None:
        """Begin with nothing."""
        super().__init__(adj)
        self._refusal: Error | None = None

    def received(self, data: bytes) -> int:
        """Take in bytes; return how many of them belong to this request."""
        in_head = not self.headers_finished
        line = (self.header_plus[: LINE_BYTES + 2] + data[: LINE_BYTES + 2]) if in_head else b"\n"
        taken: int = super().received(data)
        if in_head and len(line) > LINE_BYTES and b"\n" not in line[:LINE_BYTES].lstrip():
            self._refusal = LineTooLong("")
        if self._refusal is not None:
            self.error, self.completed = self._refusal, True
        if self.error is not None or self.body_rcv is None:
            self.expect_continue = False  # waitress would ask for the body all the same
        return taken

    def parse_header(self, header_plus: bytes) -> None:
        """Read a head.

        Raises:
            ParsingError: it is none, or could be read in two ways.
        """
        first, *lines = header_plus.split(b"\r\n")
        if len(first) > LINE_BYTES or len(lines) > HEADERS + 2:
            self._refusal = LineTooLong("") if len(first) > LINE_BYTES else HeadTooLong("")
            raise ParsingError("a head that is too long")
        if not _LINE.fullmatch(first):
            raise ParsingError("expected a method, an address and HTTP/1.0 or HTTP/1.1")
        pairs = [_pair(line) for line in lines if line]
        names = [name for name, _ in pairs if name in _ONCE]
        if len(names) != len(set(names)):
            raise ParsingError("a header twice that there is once")
        try:
            super().parse_header(b"\r\n".join((first, *(name + b": " + value for name, value in pairs))) + b"\r\n")
        except ValueError as error:
            raise ParsingError("an address or a length that is none") from error
        self._check_framing(dict(pairs))
        self._check_target()
        if isinstance(self.body_rcv, ChunkedReceiver):
            self.body_rcv = Chunks(self.body_rcv.getbuf())

    def _check_framing(self, headers: dict[bytes, bytes]) -> None:
        """Check what says where the request ends, and where the next begins."""
        if self.version == "1.1" and b"HOST" not in headers:
            raise ParsingError("expected a host")
        length, coding = headers.get(b"CONTENT-LENGTH"), headers.get(b"TRANSFER-ENCODING")
        if length is not None and (coding is not None or not _LENGTH.fullmatch(length)):
            raise ParsingError("expected one length in digits")
        if coding is not None and (self.version == "1.0" or coding.lower() != b"chunked"):
            raise ParsingError("expected one transfer coding")

    def _check_target(self) -> None:
        """Take an address of this site: a path, or a whole address that names the host that the head names."""
        target = self.request_uri
        if target.startswith("/"):
            return
        try:
            named = urlsplit(target)
        except ValueError as error:
            raise ParsingError("expected a path") from error
        same = named.netloc.lower() == self.headers.get("HOST", "").lower()
        if named.scheme.lower() not in ("http", "https") or not named.netloc or not same:
            raise ParsingError("expected a path")


def _pair(line: bytes) -> tuple[bytes, bytes]:
    """Return a header's name in capitals and its value; waitress looks at the name."""
    name, colon, value = line.partition(b":")
    if not colon or not name.strip() or line[:1] in (b" ", b"\t") or _FORBIDDEN.search(line):
        raise ParsingError("a line that is no header")
    return name.upper(), value.strip(b" \t")

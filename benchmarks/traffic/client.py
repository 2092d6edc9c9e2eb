"""A light client for many connections: one asyncio process, persistent connections, responses timed and counted."""

import asyncio
import gzip
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Final, NamedTuple

TIMEOUT_S: Final = 10.0
"""The maximum time of an answer; a longer one counts as an error."""
FINE: Final = frozenset({200, 201, 304})


class NoAnswer(ConnectionError):
    """The site did not answer, or closed the connection before the end of its answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One response.

    Attributes:
        body: the bytes as received.
        took_s: the time from the last byte of the request to the last byte of the response.
    """

    status: int
    head: bytes
    body: bytes
    took_s: float

    def header(self, name: str) -> str:
        """Return a header's value, "" if it is missing."""
        return _value(self.head, name.encode())

    @property
    def text(self) -> str:
        """The decompressed body as text."""
        body = gzip.decompress(self.body) if self.header("content-encoding") == "gzip" else self.body
        return body.decode("utf-8", "replace")


def _value(head: bytes, name: bytes) -> str:
    at = head.lower().find(b"\r\n" + name + b":")
    return head[at + len(name) + 3 :].split(b"\r\n", 1)[0].strip().decode("latin-1") if at >= 0 else ""


class Customer:
    """One browser, as the site sees it: a persistent connection, and optionally a cookie."""

    def __init__(self, port: int, *, cookie: str = "", token: str = "") -> None:
        """Prepare requests to the site on a port of this machine."""
        self._port = port
        self._more = f"Cookie: {cookie}\r\n" if cookie else f"Authorization: Bearer {token}\r\n" if token else ""
        self._wire: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, etag: str = "") -> Answer:
        """Request an address.  Raises NoAnswer: there was no answer within TIMEOUT_S."""
        held = f"If-None-Match: {etag}\r\n" if etag else ""
        return await self._ask("GET", path, f"Accept-Encoding: gzip\r\n{held}")

    async def post(self, path: str, kind: str, body: bytes) -> Answer:
        """Send a body to an address.  Raises NoAnswer: there was no answer within TIMEOUT_S."""
        return await self._ask("POST", path, f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n", body)

    async def _ask(self, method: str, path: str, more: str, body: bytes = b"") -> Answer:
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nAccept: */*\r\n{self._more}{more}\r\n"
        began = time.perf_counter()
        try:
            async with asyncio.timeout(TIMEOUT_S):
                status, answered, content = await self._exchange(head.encode() + body)
        except (OSError, EOFError, TimeoutError) as error:
            self.close()
            raise NoAnswer(f"{type(error).__name__}: {error}".rstrip(": ")) from error
        took_s = time.perf_counter() - began
        if _value(answered, b"connection").lower() == "close":
            self.close()
        return Answer(status, answered, content, took_s)

    async def _exchange(self, request: bytes) -> tuple[int, bytes, bytes]:
        if self._wire is None or self._wire[0].at_eof():
            self.close()
            self._wire = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._wire
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        status, length = int(head[9:12]), _value(head, b"content-length")
        if not length and status not in (204, 304):
            raise NoAnswer("an answer without a length")
        return status, head, b"" if status == 304 else await reader.readexactly(int(length or 0))

    def close(self) -> None:
        """Close the connection."""
        if self._wire is not None:
            self._wire[1].close()
        self._wire = None


class Line(NamedTuple):
    """The figures of one kind of request.

    Attributes:
        part: page, poll, file or upload.
        unchanged: answers without new content (304).
        p50_ms: the median; p99_ms: 99% of the answers were as fast; max_ms: the maximum.
    """

    part: str
    kind: str
    requests: int
    a_second: float
    unchanged: int
    p50_ms: float
    p99_ms: float
    max_ms: float
    errors: int


LINES: Final = ("part", "kind", "requests", "a second", "unchanged", "p50, ms", "p99, ms", "max, ms", "errors")


@dataclass(slots=True)
class Tally:
    """All requests of a period.

    Attributes:
        took_s: times of responses, by part and kind.
        errors: missing and wrong responses, by part, kind and description.
        late_s: delays of requests that this machine was too busy to send in time.
    """

    took_s: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    unchanged: Counter[tuple[str, str]] = field(default_factory=Counter)
    errors: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    late_s: list[float] = field(default_factory=list)

    def add(self, part: str, kind: str, status: int, took_s: float) -> None:
        """Count an answer."""
        self.took_s[part, kind].append(took_s)
        self.unchanged[part, kind] += status == 304
        if status not in FINE:
            self.failed(part, kind, f"status {status}")

    def failed(self, part: str, kind: str, reason: str) -> None:
        """Count a request without a correct answer."""
        self.errors[part, kind, reason] += 1

    def part_s(self, part: str) -> list[float]:
        """Return the times of a part's responses of all kinds."""
        return [took for (own, _), those in self.took_s.items() if own == part for took in those]

    def problems(self) -> list[str]:
        """Return every error, in words."""
        return [f"{count} x {error} at {kind} ({part})" for (part, kind, error), count in self.errors.items()]

    def lines(self, seconds: float) -> list[Line]:
        """Return a line for each kind of request, and one for each part as a whole."""
        kinds_of_requests = sorted({*self.took_s, *(key[:2] for key in self.errors)})
        all_lines = []
        for part in dict.fromkeys(part for part, _ in kinds_of_requests):
            kinds = [kind for own, kind in kinds_of_requests if own == part]
            all_lines += [self._line(part, kind, [kind], seconds) for kind in kinds]
            if len(kinds) > 1:
                all_lines.append(self._line(part, "all", kinds, seconds))
        return all_lines

    def _line(self, part: str, name: str, kinds: list[str], seconds: float) -> Line:
        took = [one for kind in kinds for one in self.took_s.get((part, kind), ())]
        errors = sum(count for (own, kind, _), count in self.errors.items() if own == part and kind in kinds)
        unchanged = sum(self.unchanged[part, kind] for kind in kinds)
        times = [1e3 * at_share(took, share) for share in (0.5, 0.99, 1.0)]
        return Line(part, name, len(took), len(took) / seconds, unchanged, times[0], times[1], times[2], errors)


def at_share(values: list[float], share: float) -> float:
    """Return the value that this share of the values does not exceed; 0 for no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0

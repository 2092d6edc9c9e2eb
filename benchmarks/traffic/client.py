"""A light customer for many connections: one asyncio process, kept connections, answers timed and counted."""

from __future__ import annotations

import asyncio
import gzip
import time
from dataclasses import dataclass
from typing import Final

PATIENCE_S: Final = 10.0
"""An answer that takes longer counts as an error."""
_END: Final = b"\r\n\r\n"


class NoAnswer(ConnectionError):
    """The site did not answer, or hung up before it had."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer.

    Attributes:
        body: as it came over the wire.
        took_s: from the request's last byte to the answer's.
    """

    status: int
    head: bytes
    body: bytes
    took_s: float

    def header(self, name: str) -> str:
        """Return a header's value; empty where there is none."""
        return _value(self.head, name.encode())

    @property
    def text(self) -> str:
        """The body as text, unpacked."""
        body = gzip.decompress(self.body) if self.header("content-encoding") == "gzip" else self.body
        return body.decode("utf-8", "replace")


def _value(head: bytes, name: bytes) -> str:
    at = head.lower().find(b"\r\n" + name + b":")
    return head[at + len(name) + 3 :].split(b"\r\n", 1)[0].strip().decode("latin-1") if at >= 0 else ""


class _Wire(asyncio.Protocol):
    """A connection with at most one request on its way."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.waiting: asyncio.Future[tuple[int, bytes, bytes]] | None = None
        self._got = bytearray()
        self._head = b""
        self._wanted = -1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the connection."""
        if isinstance(transport, asyncio.Transport):
            self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Take in a part of the answer, and hand it out once it is whole."""
        self._got += data
        if self._wanted < 0:
            end = self._got.find(_END)
            if end < 0:
                return
            self._head = bytes(self._got[:end])
            length = _value(self._head, b"content-length")
            if not length and self._head[9:12] not in (b"304", b"204"):
                self._fail("an answer without a length")
                return
            self._wanted = end + len(_END) + int(length or 0)
            if self._head[9:12] == b"304":
                self._wanted = end + len(_END)
        if len(self._got) >= self._wanted and self.waiting is not None and not self.waiting.done():
            body = bytes(self._got[len(self._head) + len(_END) : self._wanted])
            self.waiting.set_result((int(self._head[9:12]), self._head, body))

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell whoever waits."""
        self.transport = None
        self._fail("the site hung up" if exc is None else f"{type(exc).__name__}: {exc}")

    def ask(self, request: bytes) -> asyncio.Future[tuple[int, bytes, bytes]]:
        """Send a request; return what its answer will be."""
        if self.transport is None:
            raise NoAnswer("no connection")
        self._got.clear()
        self._wanted = -1
        self.waiting = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return self.waiting

    def _fail(self, why: str) -> None:
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_exception(NoAnswer(why))


class Customer:
    """One browser, as far as the site can tell: a kept connection, perhaps a cookie."""

    def __init__(self, port: int, *, cookie: str = "", token: str = "") -> None:
        """Ask the site on a port of this machine."""
        self._port = port
        self._more = f"Cookie: {cookie}\r\n" if cookie else f"Authorization: Bearer {token}\r\n" if token else ""
        self._wire: _Wire | None = None

    async def get(self, path: str, etag: str = "") -> Answer:
        """Ask for an address.

        Raises:
            NoAnswer: there was none within PATIENCE_S.
        """
        held = f"If-None-Match: {etag}\r\n" if etag else ""
        return await self._ask(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nAccept: */*\r\nAccept-Encoding: gzip\r\n"
            f"{self._more}{held}\r\n".encode()
        )

    async def post(self, path: str, kind: str, body: bytes) -> Answer:
        """Send something.

        Raises:
            NoAnswer: there was no answer within PATIENCE_S.
        """
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nAccept: */*\r\n{self._more}"
            f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return await self._ask(head.encode() + body)

    async def _ask(self, request: bytes) -> Answer:
        began = time.perf_counter()
        try:
            async with asyncio.timeout(PATIENCE_S):
                wire = await self._connected()
                status, head, body = await wire.ask(request)
        except (OSError, TimeoutError) as error:
            self.close()
            raise NoAnswer(f"{type(error).__name__}: {error}".rstrip(": ")) from error
        took_s = time.perf_counter() - began
        if _value(head, b"connection").lower() == "close":
            self.close()
        return Answer(status, head, body, took_s)

    async def _connected(self) -> _Wire:
        if self._wire is None or self._wire.transport is None:
            loop = asyncio.get_running_loop()
            _, self._wire = await loop.create_connection(_Wire, "127.0.0.1", self._port)
        return self._wire

    def close(self) -> None:
        """Hang up."""
        if self._wire is not None and self._wire.transport is not None:
            self._wire.transport.close()
        self._wire = None

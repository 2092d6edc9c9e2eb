"""A cheap customer: one thread, plain sockets, connections that are kept, the next request when an answer is there."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle

_CHUNK = 256 * 1024
_END = b"\r\n\r\n"
_PATIENCE_S = 60
"""How long the first answer may take, however short a time is measured."""


class WrongAnswer(RuntimeError):
    """The site answered with something else than what is measured."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True)
class _Line:
    """A connection with a request on its way."""

    socket: socket.socket
    sent_at: float = 0.0
    got: bytearray = field(default_factory=bytearray)
    wanted: int = -1


def request(path: str, etag: str | None = None, cookie: str | None = None) -> bytes:
    """Return the bytes of a request."""
    lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Accept: text/html"]
    lines += [f"If-None-Match: {etag}"] if etag else []
    lines += [f"Cookie: {cookie}"] if cookie else []
    return "\r\n".join([*lines, "", ""]).encode()


def ask(port: int, path: str, **given: str | None) -> Answer:
    """Ask once, on a connection of its own."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request(path, **given).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        whole = b"".join(iter(lambda: connection.recv(_CHUNK), b""))
    head, _, body = whole.partition(_END)
    first, *rest = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
    return Answer(int(first.split()[1]), headers, body)


def drive(port: int, requests: Sequence[bytes], *, status: int, connections: int, seconds: float) -> list[float]:
    """Ask in turn for so many seconds and return how long each answer took, in seconds.

    Raises:
        WrongAnswer: an answer had another status, or the site hung up.
    """
    took: list[float] = []
    upcoming = cycle(requests)
    with ExitStack() as stack:
        selector = stack.enter_context(selectors.EpollSelector())
        for _ in range(connections):
            line = _Line(stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE_S)))
            line.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(line.socket, selectors.EVENT_READ, line)
            _send(line, next(upcoming))
        began = time.perf_counter()
        while (so_far := time.perf_counter() - began) < seconds or (not took and so_far < _PATIENCE_S):
            for key, _ in selector.select(1.0):
                if _take(key.data, status):
                    took.append(time.perf_counter() - key.data.sent_at)
                    _send(key.data, next(upcoming))
    if not took:
        raise WrongAnswer(f"no answer within {_PATIENCE_S} s")
    return took


def _send(line: _Line, text: bytes) -> None:
    line.got.clear()
    line.wanted, line.sent_at = -1, time.perf_counter()
    line.socket.sendall(text)


def _take(line: _Line, status: int) -> bool:
    """Take in what has come; whether the answer is whole."""
    chunk = line.socket.recv(_CHUNK)
    if not chunk:
        raise WrongAnswer("the site hung up")
    line.got += chunk
    if line.wanted < 0:
        head = line.got.find(_END)
        if head < 0:
            return False
        if int(line.got[9:12]) != status:
            raise WrongAnswer(f"{bytes(line.got[:200])!r}, where {status} was expected")
        line.wanted = head + len(_END) + _length(bytes(line.got[:head]))
    return len(line.got) >= line.wanted


def _length(head: bytes) -> int:
    """How long the body is: nothing where the answer says nothing, as with 304."""
    at = head.lower().find(b"\r\ncontent-length:")
    return int(head[at + 17 :].split(b"\r\n", 1)[0]) if at >= 0 else 0

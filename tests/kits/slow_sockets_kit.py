"""Slow clients of every kind: late headers and bodies, readers that read nothing, and silent connections."""

import random
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

_POST: Final = b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to be slow; `drips` are sent each second, `half` closes one direction, `little` reads almost nothing."""

    begins: bytes
    drips: bytes = b""
    half: bool = False
    little: bool = False


def kinds(large: str) -> dict[str, Kind]:
    ask = b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
    return {
        "slow head": Kind(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"a"),
        "slow body": Kind(_POST + b"Content-Length: 90000\r\n\r\nname=", b"a"),
        "slow chunked body": Kind(_POST + b"Transfer-Encoding: chunked\r\n\r\nffff\r\nname=", b"a"),
        "asks first": Kind(_POST + b"Expect: 100-continue\r\nContent-Length: 90000\r\n\r\n", b"a"),
        "refused body": Kind(_POST + b"Content-Length: 9999999999\r\n\r\nname=", b"a" * 1000),
        "slow reader": Kind((ask % large.encode()) * 20, little=True), "idle": Kind(ask % b"/healthz"),
        "half-closed": Kind(b"GET / HTTP/1.1\r\nHost: localhost\r\n", half=True), "silent": Kind(b""),
    }  # fmt: skip


class Sockets:
    def __init__(self, port: int, each: int, kinds: dict[str, Kind]) -> None:
        self._port, self._wanted = port, [kind for kind in kinds.values() for _ in range(each)]
        random.Random(1).shuffle(self._wanted)
        self._open: dict[int, socket.socket] = {}

    def tend(self) -> None:
        for place, kind in enumerate(self._wanted):
            slow = self._open.get(place)
            try:
                if slow is None:
                    self._open[place] = self._begin(kind)
                else:
                    self._more(slow, kind)
            except OSError:
                self._forget(place)

    def _begin(self, kind: Kind) -> socket.socket:
        slow = socket.socket()
        if kind.little:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        slow.settimeout(10)
        try:
            slow.connect(("127.0.0.1", self._port))
            slow.sendall(kind.begins)
            if kind.half:
                slow.shutdown(socket.SHUT_WR)
        except OSError:
            slow.close()
            raise
        slow.setblocking(False)
        return slow

    def _more(self, slow: socket.socket, kind: Kind) -> None:
        if kind.drips:
            with suppress(BlockingIOError):
                slow.send(kind.drips)
        elif kind.little:
            return
        with suppress(BlockingIOError):
            while slow.recv(65536):
                pass
            raise ConnectionResetError("closed by the site")

    def _forget(self, place: int) -> None:
        slow = self._open.pop(place, None)
        if slow is not None:
            slow.close()

    def close(self) -> None:
        for place in list(self._open):
            self._forget(place)

    def __len__(self) -> int:
        return len(self._open)

"""Pages while slow sockets are open: how long they take, without and with so many of each kind.

    python -m benchmarks.slow [--each 500] [--seconds 20] [--customers 4] [--json]

A site runs as `gangland up` starts it.  Another process opens the sockets, sends a byte on each every second or takes
nothing, and opens those anew that the site closes.  Idle and attacked take turns, so that both are of the same minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import resource
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, Final

from benchmarks.pages.serving import served
from benchmarks.traffic.client import Customer, NoAnswer
from gangland_web.ops.prepare import prepare
from gangland_web.settings.config import sqlite_url
from gangland_web.store.database import Database

PAGES: Final = ("/", "/sign-in", "/ladders/gang-of-dice", "/write", "/status")
SETTLE_S: Final = 4.0
"""After the sockets were opened for the first time; those that the site closes are opened anew all the time."""
LARGE: Final = "/static/site.css"
_POST: Final = b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to be slow.

    Attributes:
        begins: what is sent at once; drips: what is sent each second after that, if anything.
        half: whether the socket is closed in our direction after the beginning.
        little: whether it takes next to nothing of an answer.
    """

    begins: bytes
    drips: bytes = b""
    half: bool = False
    little: bool = False


def kinds(large: str = LARGE) -> dict[str, Kind]:
    """Return all of them, by name.

    Args:
        large: the address of a large answer.
    """
    ask = b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
    return {
        "slow head": Kind(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"a"),
        "slow body": Kind(_POST + b"Content-Length: 90000\r\n\r\nname=", b"a"),
        "slow chunked body": Kind(_POST + b"Transfer-Encoding: chunked\r\n\r\nffff\r\nname=", b"a"),
        "asks first": Kind(_POST + b"Expect: 100-continue\r\nContent-Length: 90000\r\n\r\n", b"a"),
        "refused body": Kind(_POST + b"Content-Length: 9999999999\r\n\r\nname=", b"a" * 1000),
        "slow reader": Kind((ask % large.encode()) * 20, little=True),
        "idle": Kind(ask % b"/healthz"),
        "half-closed": Kind(b"GET / HTTP/1.1\r\nHost: localhost\r\n", half=True),
        "silent": Kind(b""),
    }


class Sockets:
    """Slow sockets of all kinds to a port of this machine."""

    def __init__(self, port: int, each: int, kinds: dict[str, Kind]) -> None:
        """Open nothing yet."""
        self._port, self._wanted = port, [kind for kind in kinds.values() for _ in range(each)]
        random.Random(1).shuffle(self._wanted)
        self._open: dict[int, socket.socket] = {}
        self.opened = 0

    def tend(self, pace: Callable[[], object] = int) -> None:
        """Open what is not open, and send a byte more on the rest."""
        for place, kind in enumerate(self._wanted):
            if place % 20 == 0:
                pace()
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
        self.opened += 1
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
        """Close all."""
        for place in list(self._open):
            self._forget(place)

    def __len__(self) -> int:
        """Return how many are open."""
        return len(self._open)


def more_descriptors() -> None:
    """Open as many descriptors as the system lets us."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def attack(port: int, each: int, chosen: dict[str, Kind], ready: Event, stop: Event, counts: Any) -> None:
    """Keep so many sockets of each kind open until told to stop."""
    more_descriptors()
    sockets = Sockets(port, each, chosen)
    step = 0.9 / (each * len(chosen) / 20 + 1)
    while not stop.is_set():
        until = time.monotonic() + 1
        sockets.tend(lambda: time.sleep(step))
        counts[0], counts[1] = len(sockets), sockets.opened
        ready.set()
        stop.wait(max(0.0, until - time.monotonic()))
    sockets.close()


@contextmanager
def attacked(port: int, each: int, chosen: dict[str, Kind]) -> Iterator[Any]:
    """Attack a site from another process; yields how many sockets are open and how many were opened."""
    context = multiprocessing.get_context("spawn")
    ready, stop, counts = context.Event(), context.Event(), context.Array("l", 2)
    process = context.Process(target=attack, args=(port, each, chosen, ready, stop, counts))
    process.start()
    try:
        if not ready.wait(60):
            raise RuntimeError("the sockets could not be opened within a minute")
        yield counts
    finally:
        stop.set()
        process.join()


async def ask(port: int, customers: int, seconds: float) -> tuple[list[float], int]:
    """Have customers ask for pages, each a few times a second; return the seconds of each answer, and the errors."""
    took: list[float] = []
    errors = 0
    until = time.monotonic() + seconds

    async def one(number: int) -> None:
        nonlocal errors
        chance, customer = random.Random(number), Customer(port)
        while time.monotonic() < until:
            try:
                answer = await customer.get(chance.choice(PAGES))
                took.append(answer.took_s)
                errors += answer.status != 200
            except (NoAnswer, TimeoutError, OSError):
                errors += 1
            await asyncio.sleep(chance.uniform(0.05, 0.15))

    await asyncio.gather(*(one(number) for number in range(customers)))
    return took, errors


@dataclass(frozen=True, slots=True)
class Figures:
    """What it came to; times in milliseconds."""

    each: int
    open: int
    idle_pages: int
    idle_p50_ms: float
    idle_p99_ms: float
    attacked_pages: int
    attacked_p50_ms: float
    attacked_p99_ms: float
    errors: int

    @property
    def ratio(self) -> float:
        """How many times as long the slowest hundredth took."""
        return self.attacked_p99_ms / self.idle_p99_ms


def measure(port: int, each: int, seconds: float, customers: int, chosen: dict[str, Kind], turns: int = 2) -> Figures:
    """Measure a site, without and with the sockets, in turns."""
    idle: list[float] = []
    under: list[float] = []
    errors = most = 0
    asyncio.run(ask(port, customers, 3))
    for _ in range(turns):
        took, wrong = asyncio.run(ask(port, customers, seconds / turns))
        idle += took
        errors += wrong
        with attacked(port, each, chosen) as counts:
            time.sleep(SETTLE_S)
            took, wrong = asyncio.run(ask(port, customers, seconds / turns))
            under += took
            errors += wrong
            most = max(most, counts[0])
    return Figures(each, most, *_of(idle), *_of(under), errors)


def _of(took: list[float]) -> tuple[int, float, float]:
    took = sorted(took)
    return len(took), 1000 * took[len(took) // 2], 1000 * took[int(len(took) * 0.99)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and return the exit status: 0 where pages held."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.slow", description="Pages while slow sockets are open.")
    parser.add_argument("--each", type=int, default=500, help="sockets of each kind")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each, idle and attacked")
    parser.add_argument("--customers", type=int, default=4)
    parser.add_argument("--port", type=int, help="of a site that runs on this machine, in place of one of our own")
    parser.add_argument("--kinds", nargs="*", help="these alone")
    parser.add_argument("--large", default=LARGE, help="a large answer, for those who do not take it")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    chosen = {name: kind for name, kind in kinds(given.large).items() if not given.kinds or name in given.kinds}
    if given.port:
        figures = measure(given.port, given.each, given.seconds, given.customers, chosen)
    else:
        with tempfile.TemporaryDirectory() as folder:
            url = sqlite_url(Path(folder))
            prepare(Database(url), blocks=1)
            with served(url, keeping=True) as site:
                figures = measure(site.port, given.each, given.seconds, given.customers, chosen)
    held = figures.ratio <= 2 and not figures.errors
    if given.json:
        sys.stdout.write(json.dumps(asdict(figures) | {"ratio": figures.ratio, "held": held}) + "\n")
    else:
        sys.stdout.write(
            f"{figures.open} sockets, {figures.each} of each kind: p99 {figures.idle_p99_ms:.1f} ms without and"
            f" {figures.attacked_p99_ms:.1f} ms with them (p50 {figures.idle_p50_ms:.1f} and"
            f" {figures.attacked_p50_ms:.1f}), {figures.errors} errors: {figures.ratio:.2f} times\n"
        )
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())

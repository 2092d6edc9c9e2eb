"""Measure the effect of slow sockets: the time of pages without them, and with 500 of each kind.

    python -m benchmarks.slow                                  a new site, as `gangland up` starts it
    python -m benchmarks.slow --port 8080                      a running site, such as one behind a proxy
    python -m benchmarks.slow --into benchmarks/results/speed.md

Another process opens the sockets, sends a byte on each every second, and reopens those that the site closes.
Rounds without and with these sockets alternate, so that both are measured in the same minutes.
"""

import argparse
import asyncio
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from typing import Final

from tests.kits.slow_sockets_kit import Sockets, kinds

from benchmarks.harness import Section, Table, count, parser, publish
from benchmarks.pages.serving import served
from benchmarks.traffic.client import TIMEOUT_S, Customer, NoAnswer, at_share
from gangland_web.models.database import Database
from gangland_web.ops.prepare import prepare
from gangland_web.settings import sqlite_url

PAGES: Final = ("/", "/sign-in", "/gang-of-dice/leaderboard", "/write/gang-of-dice", "/status")
LARGE: Final = "/static/site.css"
SETTLE_S: Final = 10.0
"""The time in which the site answers the 10,000 files that slow readers request at the start."""
MAX_TIMES: Final = 3.0
COLUMNS: Final = ("pages", "p50, ms", "p99, ms", "p50 with sockets", "p99 with sockets", "times", "errors")


def attack(port: int, count: int, ready: Event, stop: Event) -> None:
    """Keep a number of sockets of each kind open until the stop event."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    sockets = Sockets(port, count, kinds(LARGE))
    while not stop.wait(1.0):
        sockets.tend()
        ready.set()
    sockets.close()


@contextmanager
def attacked(port: int, count: int) -> Iterator[None]:
    """Attack a site from another process."""
    context = multiprocessing.get_context("spawn")
    ready, stop = context.Event(), context.Event()
    process = context.Process(target=attack, args=(port, count, ready, stop))
    process.start()
    try:
        ready.wait(60)
        time.sleep(SETTLE_S)
        yield
    finally:
        stop.set()
        process.join()


async def ask(port: int, customers: int, seconds: float) -> tuple[list[float], int]:
    """Request pages, each customer about eight a second; return the seconds of each answer, and the errors."""
    took: list[float] = []
    errors = 0
    until = time.monotonic() + seconds

    async def one(number: int) -> None:
        nonlocal errors
        chance, customer = Random(number), Customer(port)
        while time.monotonic() < until:
            try:
                answer = await customer.get(chance.choice(PAGES))
                took.append(answer.took_s)
                errors += answer.status != 200
            except NoAnswer:
                took.append(TIMEOUT_S)
                errors += 1
            await asyncio.sleep(chance.uniform(0.05, 0.15))

    await asyncio.gather(*(one(number) for number in range(customers)))
    return took, errors


def measure(port: int, options: argparse.Namespace) -> tuple[tuple[float, ...], bool]:
    """Return a row of figures, and whether pages stayed within their limit."""
    asyncio.run(ask(port, options.customers, SETTLE_S))
    alone: list[float] = []
    slowed: list[float] = []
    errors = 0
    for _ in range(options.turns):
        took, _ = asyncio.run(ask(port, options.customers, options.seconds))
        alone += took
        with attacked(port, options.each):
            took, wrong = asyncio.run(ask(port, options.customers, options.seconds))
        slowed, errors = slowed + took, errors + wrong
    times = [1e3 * at_share(those, share) for those in (alone, slowed) for share in (0.5, 0.99)]
    ratio = max(times[2] / times[0], times[3] / times[1])
    return (len(slowed), *times, ratio, errors), ratio <= MAX_TIMES and not errors


def main() -> int:
    """Measure, print, and return the exit status: 0 where pages took at most MAX_TIMES as long."""
    line = parser("benchmarks.slow", "Pages next to slow sockets.")
    line.add_argument("--each", type=count, default=500, help="sockets of each kind (500)")
    line.add_argument("--seconds", type=float, default=8.0, help="of a turn (8)")
    line.add_argument("--turns", type=count, default=2, help="without and with sockets (2)")
    line.add_argument("--customers", type=count, default=4)
    line.add_argument("--port", type=count, help="of a site that runs on this machine")
    options = line.parse_args()
    if options.port:
        row, holds = measure(options.port, options)
    else:
        with tempfile.TemporaryDirectory() as folder:
            database = Database(sqlite_url(Path(folder)))
            prepare(database, blocks=1)
            with served(database, "site") as site:
                row, holds = measure(site.port, options)
            database.close()
    publish(
        options,
        [Section("slow", (Table("slow", f"Pages, {options.each} slow sockets of each kind", COLUMNS, (row,)),))],
    )
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())

"""The whole platform: `gangland up` as a process, with everything that it runs, playing the same matches."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.request import urlopen

from redis.exceptions import RedisError

from benchmarks.platform_rate.alone import Taken
from benchmarks.platform_rate.cpu import by_role
from benchmarks.platform_rate.fixture import begin, is_folded, played
from gangland_web.broker.link import connect, count_slots
from gangland_web.broker.names import QUEUE_RECORDS, TASK_SCHEDULE
from gangland_web.broker.server import plan_broker
from gangland_web.settings.processes import before_exec
from gangland_web.store.database import Database
from gangland_web.workers.celery_app import make_celery, send

PATIENCE_S = 1800.0
STOPS_WITHIN_S = 120.0
LOOK_S = 0.1


class UpFailed(RuntimeError):
    """The platform did not do what was waited for; the message ends with its log."""


def play_through(
    data: Path,
    database: Database,
    tournaments: Sequence[tuple[int, int]],
    slots: int,
    *,
    servers: Sequence[int] = (),
) -> Taken:
    """Play tournaments one after the other, and return what the last of them took.

    Args:
        tournaments: ids and numbers of matches; those before the last are for everything to get warm.
        servers: the database's processes, if it has any, to be counted too.

    Raises:
        UpFailed: something ended, or nothing moved.
    """
    port = free_port()
    with running(data, database, slots, port) as up:
        redis_url = plan_broker(data).redis_url
        wait_for(up, data, lambda: slots_of(redis_url) == slots, "the match workers")
        wait_for(up, data, lambda: answers(port), "the site")
        for tournament, matches in tournaments[:-1]:
            _play(up, data, database, redis_url, tournament, matches)
        measured, matches = tournaments[-1]
        before = by_role(up.pid, servers)
        _play(up, data, database, redis_url, measured, matches)
        after = by_role(up.pid, servers)
        came = played(database, measured)
    return Taken(came.ended_s - came.began_s, {role: after[role] - before.get(role, 0.0) for role in after})


def _play(
    up: subprocess.Popen[bytes], data: Path, database: Database, redis_url: str, tournament: int, matches: int
) -> None:
    """Let a tournament be played, without waiting for the clockwork, until its ratings have taken all of it in."""
    begin(database, tournament)
    send(make_celery(redis_url), TASK_SCHEDULE, [], QUEUE_RECORDS)
    wait_for(up, data, lambda: is_folded(database, tournament, matches), "the ratings")


@contextmanager
def running(data: Path, database: Database, slots: int, port: int, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run `gangland up` as anybody would, but for ladders, which plan nothing by themselves.

    It ends with whoever calls this, however that ends; call it from the main thread, which the kernel ties it to.

    Args:
        more: options of its command line.

    Raises:
        UpFailed: it did not stop by itself at the end, and was killed.
    """
    environment = {**os.environ, "DATABASE_URL": database.url, "GANGLAND_ROUNDS": "0"}
    for name in ("REDIS_URL", "WORKER_REDIS_URL"):
        environment.pop(name, None)
    command = [sys.executable, "-m", "gangland_web.ops.supervisor", "--port", str(port), "--data", str(data)]
    up = subprocess.Popen(
        [*command, "--workers", str(slots), *more],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=before_exec(signal.SIGKILL),  # noqa: PLW1509  # nothing else runs in this process yet
    )
    try:
        yield up
    finally:
        up.send_signal(signal.SIGTERM)
        try:
            up.wait(STOPS_WITHIN_S)
        except subprocess.TimeoutExpired as late:
            up.kill()
            up.wait()
            raise UpFailed(f"gangland up did not stop within {STOPS_WITHIN_S:g} s, and was killed") from late


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def slots_of(redis_url: str) -> int:
    """Return how many match workers have said that they are ready."""
    with closing(connect(redis_url)) as client:
        return count_slots(client)


def answers(port: int) -> bool:
    """Return whether the site says that it is well."""
    with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=LOOK_S * 100) as answer:
        return int(answer.status) == 200


def wait_for(up: subprocess.Popen[bytes], data: Path, happened: Callable[[], bool], what: str) -> None:
    """Wait until something has happened.

    Raises:
        UpFailed: `gangland up` ended, or it took too long.
    """
    deadline = time.monotonic() + PATIENCE_S
    while not _happened(happened):
        if up.poll() is not None or time.monotonic() > deadline:
            log = data / "log" / "gangland.log"
            told = log.read_text()[-3000:] if log.exists() else ""
            raise UpFailed(f"waited in vain for {what}\n{told}")
        time.sleep(LOOK_S)


def _happened(happened: Callable[[], bool]) -> bool:
    """Ask, and take a broker or site that is not there yet for a no."""
    try:
        return happened()
    except (RedisError, OSError):
        return False

"""Run the whole platform as a process, `gangland up`."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from redis.exceptions import RedisError

from benchmarks.fixture import begin
from gangland_web.broker.link import connect, count_slots
from gangland_web.broker.names import QUEUE_RECORDS, TASK_TICK, TICK_SCHEDULE
from gangland_web.broker.server import plan_broker
from gangland_web.models.database import Database
from gangland_web.process import before_exec
from gangland_web.workers.celery_app import make_celery, send

TIMEOUT_S: Final = 1800.0
STOP_TIMEOUT_S = 120.0
POLL_S: Final = 0.1
CORES: Final = os.cpu_count() or 1


class UpFailed(RuntimeError):
    """The platform did not reach the expected state; the message ends with its log."""


@dataclass(frozen=True, slots=True)
class Up:
    """A running platform."""

    process: subprocess.Popen[bytes]
    data: Path
    database: Database
    port: int

    @property
    def pid(self) -> int:
        """The process id of the supervisor."""
        return self.process.pid

    def ready(self, slots: int) -> None:
        """Wait for this number of match workers and for the site."""
        redis_url = plan_broker(self.data).redis_url
        self.wait_for(lambda: _slots_of(redis_url) == slots, "the match workers")
        self.wait_for(lambda: _answers(self.port), "the site")

    def play(self, tournament: int) -> None:
        """Start a tournament without waiting for the next scheduled task."""
        begin(self.database, tournament)
        with closing(make_celery(plan_broker(self.data).redis_url)) as app:
            send(app, TASK_TICK, [TICK_SCHEDULE], QUEUE_RECORDS)

    def wait_for(self, happened: Callable[[], bool], event: str) -> None:
        """Wait until something has happened.  Raises UpFailed: `gangland up` ended, or it took too long."""
        deadline = time.monotonic() + TIMEOUT_S
        while not _happened(happened):
            if self.process.poll() is not None or time.monotonic() > deadline:
                log = self.data / "log" / "gangland.log"
                raise UpFailed(f"waited in vain for {event}\n{log.read_text()[-3000:] if log.exists() else ''}")
            time.sleep(POLL_S)


@contextmanager
def running(data: Path, database: Database, slots: int, *more: str) -> Iterator[Up]:
    """Run `gangland up` without ladders that schedule matches.

    The platform ends with the caller, even if the caller is killed.  Call this from the main thread, because the kernel
    ends the platform when the calling thread ends.

    Args:
        more: additional options of the command line.

    Raises:
        UpFailed: the platform did not stop by itself at the end, and was killed.
    """
    environment = {**os.environ, "DATABASE_URL": database.url, "GANGLAND_ROUNDS": "0"}
    for name in ("REDIS_URL", "WORKER_REDIS_URL"):
        environment.pop(name, None)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "gangland_web.ops.supervisor", "--port", str(port), "--data", str(data)]
    process = subprocess.Popen(
        [*command, "--workers", str(slots), *more],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=before_exec(),  # noqa: PLW1509  # nothing else runs in this process yet
    )
    try:
        yield Up(process, data, database, port)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired as late:
            process.kill()
            process.wait()
            raise UpFailed(f"gangland up did not stop within {STOP_TIMEOUT_S:g} s, and was killed") from late


def _slots_of(redis_url: str) -> int:
    """Return the number of match workers that are ready."""
    with closing(connect(redis_url)) as client:
        return count_slots(client)


def _answers(port: int) -> bool:
    """Return whether the site's health check succeeds."""
    with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=POLL_S * 100) as answer:
        return int(answer.status) == 200


def _happened(happened: Callable[[], bool]) -> bool:
    """Return whether it has happened; False if the broker or the site is not reachable yet."""
    try:
        return happened()
    except (RedisError, OSError):
        return False

"""The web processes as `gangland up` starts them, on a database of one's own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Flask

from benchmarks.pages.driver import ask
from gangland_web.app import create_app
from gangland_web.http.cache import init_marks
from gangland_web.ops.supervisor.environment import Addresses, plan_children

ROOT = Path(__file__).resolve().parent.parent.parent
KEEPING = "gangland_web.app:create_app"
NOT_KEEPING = "benchmarks.pages.serving:app_that_keeps_nothing"
_STARTS_WITHIN_S = 60
_TICKS = os.sysconf("SC_CLK_TCK")


def app_that_keeps_nothing() -> Flask:
    """Return the site, every page of it made anew each time."""
    app = create_app()
    init_marks(app, 0)
    return app


@dataclass(frozen=True, slots=True)
class Served:
    """A site that answers on a port; `pid` is that of the process which starts the others."""

    port: int
    pid: int

    def cpu_s(self) -> float:
        """Return the CPU seconds that its worker processes have had."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return sum(_cpu_s(int(child)) for child in children)


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


@contextmanager
def served(database_url: str, *, keeping: bool) -> Iterator[Served]:
    """Serve a database with two processes as always; without a broker, which no page that is read needs."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with TemporaryDirectory() as folder:
        secret = Path(folder) / "secret"
        secret.write_text("for measuring only, and for nothing else")
        where = Addresses(Path(folder), database_url, "", "", secret)
        (web,) = (child for child in plan_children(where, port, 1) if child.name == "web")
        environment = {name: value for name, value in web.environment.items() if name != "REDIS_URL"}
        environment["PYTHONPATH"] = str(ROOT)
        command = [*web.command, "--app", KEEPING if keeping else NOT_KEEPING]
        process = subprocess.Popen(command, env=environment, cwd=ROOT)
        try:
            _wait(process, port)
            yield Served(port, process.pid)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + _STARTS_WITHIN_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            ask(port, "/write")
        except (ConnectionError, IndexError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the web processes do not answer")

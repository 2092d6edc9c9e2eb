"""`gangland up` as a person runs it, watched from outside: its pages, its database, its processes."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from tests.kits import command_kit, processes_kit
from tests.kits.models import Database, Match, User, Version, VersionStep, col, select

from gangland_web.services import trials, uploads
from gangland_web.settings import sqlite_url

PATIENCE_S = 900  # prevents endless waits; nothing is measured by it
GONE_WITHIN_S = 60  # the time that a busy kernel may take to end the children of a process
HOSTILE = Path(__file__).resolve().parent.parent / "hostile"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Up:
    data: Path
    port: int
    process: subprocess.Popen[str]
    database_url: str
    events: list[dict[str, Any]] = field(default_factory=list)

    @cached_property
    def database(self) -> Database:
        return Database(self.database_url)

    @property
    def log(self) -> str:
        return (self.data / "log" / "gangland.log").read_text()

    def wait_until(self, happened: Callable[[], object], what: str, *, max_pause_s: float = 0.3) -> None:
        deadline, pause_s = time.monotonic() + PATIENCE_S, min(0.05, max_pause_s)
        while time.monotonic() < deadline:
            if happened():
                return
            assert self.process.poll() is None, f"gangland up ended while waiting for {what}\n{self.log[-5000:]}"
            time.sleep(pause_s)
            pause_s = min(pause_s * 1.2, max_pause_s)  # each look costs the site something
        raise AssertionError(f"waited in vain for {what}\n{self.log[-5000:]}")

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
            text: str = answer.read().decode()
            return text

    def healthy(self) -> bool:
        try:
            self.get("/readyz")
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False
        return True

    def ladder(self, game: str, seats: int) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads(self.get(f"/ladders/{game}.json?seats={seats}"))["rows"]
        return rows

    def workers(self) -> list[int]:
        return [pid for pid in children_of(self.process.pid) if "gangland_web.workers.match" in command_of(pid)]

    def matches(self) -> list[Match]:
        with self.database.read() as session:
            return list(session.exec(select(Match).order_by(col(Match.id))).all())

    def stop(self) -> None:
        observed = processes_kit.descendants_of(self.process.pid)
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        assert self.process.returncode == 0, self.log[-5000:]
        assert left_of(observed) == []


@contextmanager
def running_up(
    data: Path, *, workers: int = 2, rounds: int = 1, blocks: int = 1, nice: int = 0, **settings: str
) -> Iterator[Up]:
    """Run `gangland up` until the block ends; its workers are not niced by default, to play beside other tests."""
    up = start_up(data, workers=workers, rounds=rounds, blocks=blocks, nice=nice, **settings)
    try:
        up.wait_until(up.healthy, "the site")
        yield up
        if up.process.poll() is None:
            up.stop()
    finally:
        up.process.kill()
        up.process.wait()
        if up.process.stdout is not None:
            up.process.stdout.close()
        up.database.close()


def start_up(data: Path, *, workers: int = 2, rounds: int = 1, blocks: int = 1, nice: int = 0, **settings: str) -> Up:
    port = free_port()
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "XDG_DATA_HOME") if name in os.environ}
    environment = {**kept, "GANGLAND_ROUNDS": str(rounds), "GANGLAND_BLOCKS": str(blocks), **settings}
    command = [sys.executable, "-m", "gangland_web.ops.supervisor", "--port", str(port), "--data", str(data)]
    process = subprocess.Popen(
        [*command, "--workers", str(workers), "--nice", str(nice), "--json"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    up = Up(data, port, process, settings.get("DATABASE_URL") or sqlite_url(data))
    if process.stdout is not None:
        for line in process.stdout:
            up.events.append(command_kit.parsed(line))
            if up.events[-1]["event"] == "setup_code":
                break
    return up


def submit(up: Up, owner: str, game: str, name: str, source: bytes, *, trial: bool = True) -> int:
    """Upload for a person without a browser; return the version's id.  Without `trial` it becomes active at once."""
    with up.database.write() as session:
        session.add(User(name=owner, name_key=owner, password_hash="-", created_at=0.0))
    return submit_for(up, owner, game, name, source, trial=trial)


def submit_for(up: Up, owner: str, game: str, name: str, source: bytes, *, trial: bool = False) -> int:
    with up.database.write() as session:
        user = session.exec(select(User).where(User.name == owner)).one()
        version = uploads.submit_version(session, user, game, name, f"{name}.py", source)
        if not trial:
            trials.drop_trials(session, version, "let in unseen")
            trials.activate(session, version)
        return version.id or 0


def state_of(up: Up, version: int) -> str:
    with up.database.read() as session:
        return session.get_one(Version, version).state


def last_words(up: Up, version: int) -> str:
    with up.database.read() as session:
        chosen = select(VersionStep).where(VersionStep.version_id == version).order_by(col(VersionStep.id))
        return session.exec(chosen).all()[-1].message


class Browser:
    def __init__(self, port: int) -> None:
        self._root = f"http://127.0.0.1:{port}"
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> str:
        with self._opener.open(self._root + path, timeout=30) as answer:
            text: str = answer.read().decode()
            return text

    def post(self, path: str, fields: Mapping[str, object], *, form_at: str | None = None) -> tuple[str, str]:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.get(form_at or path))
        assert found is not None, path
        body = urllib.parse.urlencode({"csrf_token": found.group(1), **fields}, doseq=True).encode()
        with self._opener.open(self._root + path, body, timeout=30) as answer:
            return urllib.parse.urlsplit(answer.url).path, answer.read().decode()


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def children_of(pid: int) -> list[int]:
    return processes_kit.families()[pid]


def left_of(pids: Iterable[int]) -> list[int]:
    left, deadline = list(pids), time.monotonic() + GONE_WITHIN_S
    while (left := [pid for pid in left if processes_kit.is_alive(pid)]) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left

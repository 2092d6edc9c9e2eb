"""A site on one machine, with its broker on TCP behind the shipped access list, and match workers on others."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.chaos.site import Site
from tests.flow.flow_kit import PATIENCE_S, Up, free_port
from tests.hosts.network import Machine

from gangland_web.broker.access import host_url, stored_hash
from gangland_web.broker.server import BrokerPlan, find_server
from gangland_web.models.database import Database
from gangland_web.services.worker_hosts import create_host

ROOT = Path(__file__).resolve().parents[2]
ACCESS_LIST = ROOT / "docker" / "broker-users.acl"
BROKER_PORT = 6379
STOPS_WITHIN_S = 60.0


@dataclass
class Host:
    """A machine for match workers, on cores from `first_core`: all hosts share the cores of one machine."""

    machine: Machine
    worker_redis_url: str
    folder: Path
    workers: list[subprocess.Popen[str]] = field(default_factory=list)
    first_core: int = 0

    @property
    def log(self) -> str:
        return "".join(path.read_text() for path in sorted(self.folder.glob("*.log")))

    def start(self, slots: int) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for slot in range(slots):
            environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
            environment |= {
                "WORKER_REDIS_URL": self.worker_redis_url,
                "GANGLAND_SLOT": str(self.first_core + slot),
                "TZ": "UTC",
            }
            program = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', self.machine.name]
            command = [*program, sys.executable, "-m", "gangland_web.workers.match"]
            with (self.folder / f"{time.time_ns()}.log").open("wb") as log:
                self.workers.append(self.machine.start(command, log, environment))
        wait_for(lambda: self.log.count("ready to play") >= slots, f"the match workers of {self.machine.name}")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        for worker in self.workers:
            with suppress(ProcessLookupError):
                os.kill(worker.pid, number)
        for worker in self.workers:
            end(worker)
        self.workers.clear()
        for path in self.folder.glob("*.log"):
            path.unlink()


@dataclass
class House:
    site: Site
    hosts: list[Host]
    broker: subprocess.Popen[str]


def end(process: subprocess.Popen[str]) -> None:
    try:
        process.wait(STOPS_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_for(happened: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while not happened():
        if time.monotonic() > until:
            raise RuntimeError(f"waited in vain for {what}")
        time.sleep(0.05)


@contextmanager
def house(folder: Path, machines: tuple[Machine, list[Machine]], database_url: str) -> Iterator[House]:
    where, others = machines
    platform, passwords = secrets.token_hex(16), [secrets.token_hex(16) for _ in others]
    broker = _start_broker(folder, where, platform)
    try:
        at = f"{where.address}:{BROKER_PORT}/0"
        platform_url = f"redis://gangland:{platform}@{at}"
        database = Database(database_url)
        with database.write() as session:
            for number, password in enumerate(passwords):
                create_host(session, f"play-{number}", password)
        urls = [host_url(platform_url, f"play-{number}", password) for number, password in enumerate(passwords)]
        plan = BrokerPlan((), folder, folder, platform_url, urls[0], analysis_redis_url="")
        with _running_up(folder / "data", where, database_url, platform_url) as up:
            hosts = [
                Host(machine, urls[number], folder / machine.name, first_core=number)
                for number, machine in enumerate(others)
            ]
            try:
                yield House(Site(up, database, plan, None, Random(1)), hosts, broker)
            finally:
                for host in hosts:
                    host.machine.fix()
                    host.stop(signal.SIGKILL)
                database.close()
    finally:
        broker.kill()
        broker.wait()


def _start_broker(folder: Path, where: Machine, platform: str) -> subprocess.Popen[str]:
    text = ACCESS_LIST.read_text()
    for name, password in {"PLATFORM": platform, "LOCAL": platform + "1", "ANALYSIS": platform + "2"}.items():
        text = text.replace(f"@{name}@", stored_hash(password))
    users = folder / "users.acl"
    users.write_text(text)
    options = ["--bind", where.address, "--port", str(BROKER_PORT), "--aclfile", str(users), "--save", ""]
    command = [str(find_server().path), *options, "--dir", str(folder), "--maxmemory-policy", "noeviction"]
    command += ["--databases", "1"]
    with (folder / "broker.log").open("wb") as log:
        return where.start(command, log)


@contextmanager
def _running_up(data: Path, where: Machine, database_url: str, platform_url: str) -> Iterator[Up]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    settings = {"DATABASE_URL": database_url, "REDIS_URL": platform_url}
    port = free_port()
    command = [sys.executable, "-m", "gangland_ladder.cli", "up", "--host", where.address, "--port", str(port)]
    environment = {**kept, **settings, "GANGLAND_ROUNDS": "0", "TZ": "UTC"}
    output = data.with_name("events")
    with output.open("wb") as events:
        process = where.start([*command, "--data", str(data), "--workers", "0", "--json"], events, environment)
    up = Up(data, port, process, database_url)
    try:
        wait_for(lambda: '"setup_code"' in output.read_text(), "the site")
        up.events += [json.loads(line) for line in output.read_text().splitlines() if line.startswith("{")]
        yield up
    finally:
        process.send_signal(signal.SIGTERM)
        end(process)

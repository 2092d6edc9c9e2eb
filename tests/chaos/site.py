"""A running platform as somebody sees it who may kill anything: its processes, its broker, its database."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from redis import Redis
from sqlalchemy.exc import DBAPIError
from tests.flow.flow_kit import Up, command_of, running_up
from tests.flow.processes_kit import environment_of
from tests.kits.models import PENDING, Database, Job, Match, Tournament, col, select
from tests.kits.postgres_kit import Server
from tests.kits.processes_kit import families, is_alive

from gangland_web.broker.link import connect, count_slots
from gangland_web.broker.server import BrokerPlan, plan_broker
from gangland_web.services.jobs import ATTEMPTS
from gangland_web.settings import SQLITE_FILE

COMMANDS = {
    "worker": ("gangland_web.workers.match",), "records": ("gangland_web.workers.records",),
    "beat": ("gangland_web.workers.beat",), "web": ("gangland_web.ops.serving",),
    "broker": ("valkey-server", "redis-server"),
}  # fmt: skip
"""The supervisor's children, by what stands in their command."""
BROKER_ANSWERS_S = 2.0


@dataclass(frozen=True)
class Begun:
    id: int
    job: int
    token: str
    attempt: int


@dataclass(frozen=True)
class Seen:
    """All tournament matches at one moment: the finished ones, and the jobs of the others."""

    scheduled: int
    over: int
    finished: bool
    open: list[Job]

    @property
    def begun(self) -> list[Begun]:
        return [Begun(one.subject, one.id or 0, one.token or "", one.attempt) for one in self.open if one.begun_at]

    @property
    def spared(self) -> list[int]:
        """Return matches that become void by rule if their current or next run fails."""
        return [
            job.subject
            for job in self.open
            if job.attempt > ATTEMPTS - 1 or (job.attempt == ATTEMPTS - 1 and job.begun_at is None)
        ]


@dataclass
class Site:
    up: Up
    database: Database
    broker: BrokerPlan
    server: Server | None
    rng: Random
    done: Counter[str] = field(default_factory=Counter)

    def look(self) -> Seen | None:
        """Return the progress; None while the database is not available."""
        try:
            with self.database.read() as session:
                pending = select(Match.id).where(Match.purpose == "tournament", col(Match.state).in_(PENDING))
                of_pending = (Job.kind == "tournament", col(Job.subject).in_(pending))
                jobs = session.exec(select(Job).where(*of_pending)).all()
                states = session.exec(select(Tournament.state).where(Tournament.kind == "tournament")).all()
                chosen = select(Match.state).join(Tournament).where(Tournament.kind == "tournament")
                every = Counter(session.exec(chosen).all())
        except DBAPIError:
            return None
        over = every["done"] + every["void"]
        return Seen(sum(every.values()), over, set(states) == {"finished"}, list(jobs))

    def read_job(self, begun: Begun) -> Job | None:
        try:
            with self.database.read() as session:
                return session.get_one(Job, begun.job)
        except DBAPIError:
            return None

    def pids(self, kind: str) -> list[int]:
        below = families()[self.up.process.pid]
        return sorted(pid for pid in below if is_alive(pid) and any(name in command_of(pid) for name in COMMANDS[kind]))

    def players(self) -> list[int]:
        """Return the match workers that play matches: only they have a core's number."""
        return [pid for pid in self.pids("worker") if slot_of(pid).isdigit()]

    def playing(self) -> list[int]:
        below = families()
        return [pid for pid in self.pids("worker") if any("bwrap" in command_of(child) for child in below[pid])]

    def jails(self) -> list[int]:
        """Return the keeper and the zygote of every jail, but no bot's process."""
        below = families()
        keepers = [child for pid in self.pids("worker") for child in below[pid] if "bwrap" in command_of(child)]
        return sorted({*keepers, *(zygote for keeper in keepers for zygote in below[keeper])})

    def client(self) -> Redis:
        return connect(self.broker.redis_url, wait_s=BROKER_ANSWERS_S)

    def slots(self) -> int:
        with self.client() as client:
            return count_slots(client)

    @property
    def sqlite_file(self) -> Path:
        return self.up.data / SQLITE_FILE


@contextmanager
def running_site(data: Path, seed: int, *, workers: int, server: Server | None, database_url: str) -> Iterator[Site]:
    nothing_else = partial(running_up, rounds=0, GANGLAND_ANALYSIS_WORKERS="0")
    with nothing_else(data, workers=workers, DATABASE_URL=database_url) as up:
        database = Database(database_url)
        try:
            yield Site(up, database, plan_broker(data), server, Random(seed))
        finally:
            database.close()


def slot_of(pid: int) -> str:
    """Return what a match worker was started for: a core's number, `checks` or `tables`."""
    return environment_of(pid).get("GANGLAND_SLOT", "")


def end(pid: int, number: signal.Signals = signal.SIGKILL) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)

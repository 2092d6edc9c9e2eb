"""How many matches hosts play together, beside what one plays, all in one run."""

import os
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.processes import TICKS_PER_SECOND, processes, tree_s
from tests.chaos.runs import filled
from tests.hosts.network import network
from tests.hosts.site import Host, House, house
from tests.kits.models import Database, Match, Session, col, func, select

from benchmarks import fixture
from gangland_web.settings import sqlite_url

GAME = "gang-of-dice"
SEATS = 2
CORES = os.cpu_count() or 1
SETTLES_S = 3.0
WANTED = 2.7
KEPT = 0.95  # with too few cores, the least share of the rate of one host with all cores
CORES_FOR_THREE = 4


@dataclass(frozen=True)
class Way:
    hosts: int
    slots: int

    @property
    def name(self) -> str:
        return f"{self.hosts} x {self.slots}"


@dataclass(frozen=True)
class Rate:
    """The result of a way; `left_s` is CPU time in seconds that other programs left for the platform."""

    way: str
    seconds: float
    matches: int
    left_s: float

    @property
    def a_second(self) -> float:
        return self.matches / self.seconds

    @property
    def a_cpu_second(self) -> float:
        return self.matches / self.left_s


ONE = Way(1, 1)
WHOLE = Way(1, CORES)
THREE = Way(3, 1)


def measure(folder: Path, *, turns: int, seconds: float) -> dict[str, Rate]:
    """Play with one host, one with a worker per core, and three hosts in turn; return a rate for each."""
    data = folder / "data"
    data.mkdir(parents=True)
    url = sqlite_url(data)
    matches = int(8 * CORES * (seconds + SETTLES_S) * 3 * turns) + 100
    tournaments: list[int] = []
    filled(url, partial(_fill, matches, tournaments))
    (data / "lock").touch()
    found: dict[str, list[Rate]] = {}
    with network(THREE.hosts) as machines, house(folder, machines, url) as all_of_it:
        fixture.begin(all_of_it.site.database, tournaments[-1])
        for turn in range(turns):
            for way in (ONE, WHOLE, THREE) if turn % 2 == 0 else (THREE, WHOLE, ONE):
                rate = _one(all_of_it, way, seconds)
                found.setdefault(way.name, []).append(rate)
                sys.stderr.write(f"turn {turn + 1}, {way.name}: {rate.a_second:.2f} matches/s\n")
    return {name: _sum(name, rates) for name, rates in found.items()}


def _fill(matches: int, tournaments: list[int], database: Database) -> None:
    tournaments += fixture.fill(database, GAME, SEATS, matches, 1)


def _one(found: House, way: Way, seconds: float) -> Rate:
    playing = found.hosts[: way.hosts]
    for host in playing:
        host.start(way.slots)
    try:
        time.sleep(SETTLES_S)
        first, busy, ours = time.time(), _busy_s(), _ours_s(found, playing)
        time.sleep(seconds)
        last = time.time()
        others = (_busy_s() - busy) - (_ours_s(found, playing) - ours)
        with found.site.database.read() as session:
            matches = _done(session, first, last)
        left = max(1e-9, CORES * (last - first) - max(0.0, others))
        return Rate(way.name, last - first, matches, left)
    finally:
        for host in playing:
            host.stop()


def _sum(name: str, rates: list[Rate]) -> Rate:
    seconds, left = sum(one.seconds for one in rates), sum(one.left_s for one in rates)
    return Rate(name, seconds, sum(one.matches for one in rates), left)


def _done(session: Session, first: float, last: float) -> int:
    over = (col(Match.done_at) >= first) & (col(Match.done_at) < last)
    return int(session.exec(select(func.count()).select_from(Match).where(Match.state == "done", over)).one())


def _ours_s(found: House, playing: list[Host]) -> float:
    there = processes()
    pids = [found.broker.pid, found.site.up.process.pid, *(worker.pid for host in playing for worker in host.workers)]
    return sum(tree_s(pid, there) for pid in pids if pid in there)


def _busy_s() -> float:
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    user, nice, system, _idle, _waiting, hard, soft, stolen = (int(ticks) for ticks in fields[:8])
    return (user + nice + system + hard + soft + stolen) / TICKS_PER_SECOND


def broken(rates: dict[str, Rate], cores: int = CORES) -> list[str]:
    one, whole, three = (rates[way.name] for way in (ONE, WHOLE, THREE))
    if cores >= CORES_FOR_THREE:
        times = three.a_second / one.a_second if one.matches else 0.0
        return [] if times >= WANTED else [f"three hosts play {times:.2f} x what one plays, {WANTED} x are wanted"]
    kept = three.a_cpu_second / whole.a_cpu_second if whole.matches else 0.0
    words = f"three hosts keep {kept:.2f} of what one host plays with all cores, {KEPT} are wanted"
    return [] if kept >= KEPT else [words]

"""A schedule played by three hosts, one of which is cut off in mid-match and comes back; and what came of it."""

import os
import signal
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.chaos.attack import Attack
from tests.chaos.fixed import Size, fill, start
from tests.chaos.outcome import Told, tell
from tests.chaos.runs import Run, filled, problems
from tests.chaos.site import Begun
from tests.hosts.network import network
from tests.hosts.site import House, house, wait_for

from gangland_web.services.ratings import rebuild
from gangland_web.settings import sqlite_url

SHORT = Size(bots=4, blocks={2: 4}, tables={})
LONG = Size(bots=12, blocks={2: 12, 3: 2}, tables={3: 30})
HOSTS = 3
STALE = "result stale"


@dataclass(frozen=True)
class Cut:
    """The result of a cut; `leased_again_s` is from the cut to the next lease, `stale` counts dropped old results."""

    told: Told
    leased_again_s: float
    stale: int
    cuts: int
    problems: list[str]


def cut_off(folder: Path, size: Size, calm: Told | None = None, *, hosts: int = HOSTS, more: int = 0) -> Cut:
    """Play a schedule, cut one host off during a match, and reconnect it once another host has the match."""
    data = folder / "data"
    data.mkdir(parents=True)
    url = sqlite_url(data)
    filled(url, partial(fill, size=size))
    (data / "lock").touch()
    with network(hosts) as machines, house(folder, machines, url) as found:
        first, *others = found.hosts
        first.start(1)
        start(found.site.database)
        leased_s = _cut_in_mid_match(found)
        for host in others:
            if not host.workers:
                host.start(1)
        for number in range(more):
            _cut_anyhow(found, number)
        Attack(found.site, [], quiet=False).run()
        told = tell(found.site.database)
        wait_for(lambda: STALE in found.site.up.log, "the result that the host had when it came back")
        run = Run("sqlite", hosts, 0, told, 0.0)
        with found.site.database.write() as session:
            rebuilt = [
                f"{one.name}: its ratings are not those of a rebuild" for one in rebuild(session) if one.differed
            ]
        return Cut(told, leased_s, found.site.up.log.count(STALE), 1 + more, problems(run, calm or told) + rebuilt)


def _cut_in_mid_match(found: House) -> float:
    first, *others = found.hosts
    (worker,) = first.workers
    while True:
        played = _begun(found)
        os.kill(worker.pid, signal.SIGSTOP)  # so that the match is not over before the cable is out
        time.sleep(0.2)  # what was on its way has arrived
        job = found.site.read_job(played)
        caught = job is not None and job.token == played.token
        if caught:
            first.machine.cut()
        cut_at = time.time()
        os.kill(worker.pid, signal.SIGCONT)
        if caught:
            break
    _say("the host is cut off in mid-match")
    for host in others:
        host.start(1)

    def again() -> bool:
        job = found.site.read_job(played)
        return job is not None and job.leased_at is not None and job.leased_at > cut_at

    wait_for(again, "the match of the host that was cut off to be leased again")
    job = found.site.read_job(played)
    leased_s = (job.leased_at or 0.0) - cut_at if job is not None else 0.0
    _say(f"its match is leased again after {leased_s:.1f} s; the host comes back")
    first.machine.fix()
    return leased_s


def _begun(found: House) -> Begun:
    begun: list[Begun] = []

    def somebody_plays() -> bool:
        observed = found.site.look()
        begun[:] = observed.begun if observed is not None else []
        return bool(begun)

    wait_for(somebody_plays, "a match to be begun")
    return begun[0]


def _cut_anyhow(found: House, number: int) -> None:
    """Cut a host off for longer than a silent lease lasts."""
    host = found.hosts[number % len(found.hosts)]
    _say(f"{host.machine.name} is cut off")
    host.machine.cut()
    time.sleep(20.0)
    host.machine.fix()
    time.sleep(5.0)


def _say(what: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {what}\n")

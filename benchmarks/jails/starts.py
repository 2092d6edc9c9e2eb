"""How long it takes until a bot has a process, and until it is gone; with the CPU of all who take part."""

from __future__ import annotations

import resource
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from benchmarks.jails.peers import Forker, open_bare, other_sandboxes, start_bare, usable
from benchmarks.matches import RANDOM_BOTS
from gangland_sandbox.asking import BotProcess
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.jail import Child, Jail, open_jail
from gangland_sandbox.limits import Limits, Profile
from gangland_sandbox.pool import Pool
from gangland_sandbox.runtime import Runtime, prepare

GAME = "gang-of-dice"
HAD_TIME_S = 0.01
"""How long a pool is left alone before a process is taken from it; in a match it is a whole rotation."""
GREETING_S = 30.0
WARM_A_ROUND = 5

BARE = "bare Python"
HARNESS = "the harness, no jail"
COLD = "cold jail"
COLD_NUMERIC = "cold jail, numeric profile"
BARE_FORK = "fork of a bare Python"
FORK = "fork of the harness, no jail"
HANDED = "from the pool"
HANDED_BOT = "from the pool, bot loaded"
HANDED_NUMERIC = "from the pool, numeric profile, bot loaded"
KILL = "kill to gone"
GIVE_BACK = "bot closed, the next one forked"
CLOSE = "whole jail to gone"


@dataclass(frozen=True)
class StartFigures:
    """One way to start or to end.

    Attributes:
        times: how often it was done.
        cpu_ms: CPU a time of referee, jail, zygote and bot, with their ends; None where it is a part of another's.
        of_bare: how many times as long as a bare Python, in wall time.
        of_harness: how many times as long as the harness without a jail.
    """

    start: str
    times: int
    median_ms: float
    p95_ms: float
    cpu_ms: float | None
    of_bare: float
    of_harness: float


class Clock:
    """Collects what each way took."""

    def __init__(self) -> None:
        self.wall: dict[str, list[float]] = {}
        self.cpu: dict[str, list[float]] = {}

    def time(self, name: str, act: Callable[[], Any]) -> Any:
        """Run and note the wall time."""
        began = time.perf_counter()
        result = act()
        self.wall.setdefault(name, []).append(time.perf_counter() - began)
        return result

    def figures(self, name: str) -> StartFigures:
        """Return the medians of one way; a ratio is the median of the rounds' ratios."""
        wall = self.wall[name]
        ranked = sorted(wall)
        cpu = self.cpu.get(name)
        return StartFigures(
            start=name,
            times=len(wall),
            median_ms=1e3 * statistics.median(wall),
            p95_ms=1e3 * ranked[min(len(ranked) - 1, round(0.95 * len(ranked)))],
            cpu_ms=1e3 * statistics.median(cpu) if cpu else None,
            of_bare=self._ratio(wall, BARE),
            of_harness=self._ratio(wall, HARNESS),
        )

    def _ratio(self, wall: list[float], base: str) -> float:
        base_wall, each = self.wall[base], len(wall) // len(self.wall[base])
        return statistics.median([own / base_wall[index // max(each, 1)] for index, own in enumerate(wall)])


def measure(rounds: int, *, numeric: bool) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Measure as whoever opens jails; return the rows, and what is missing and why."""
    runtime, clock = prepare(), Clock()
    peers, missing = _peers(runtime)
    with Forker(runtime) as forker, Pool() as pool:
        for _ in range(rounds):
            _cold(clock, runtime, numeric=numeric)
            for name, command in peers.items():
                _counted(clock, name, partial(subprocess.run, command, capture_output=True, check=True))
            for _ in range(WARM_A_ROUND):
                _warm(clock, pool, forker, Profile.PLAIN)
                if numeric:
                    _warm(clock, pool, forker, Profile.NUMERIC)
    _forks(clock, rounds * WARM_A_ROUND, runtime)
    for profile, name in ((Profile.PLAIN, HANDED_BOT), (Profile.NUMERIC, HANDED_NUMERIC)):
        if profile is Profile.PLAIN or numeric:
            clock.cpu[name] = [_cpu_a_start(profile, max(50, rounds * WARM_A_ROUND))]
    order = (BARE, HARNESS, COLD, COLD_NUMERIC, *peers, BARE_FORK, FORK, HANDED, HANDED_BOT, HANDED_NUMERIC)
    names = [name for name in (*order, KILL, GIVE_BACK, CLOSE) if name in clock.wall]
    return [asdict(clock.figures(name)) for name in names], missing


def _cold(clock: Clock, runtime: Runtime, *, numeric: bool) -> None:
    """Start each way from nothing, and end it."""
    _counted(clock, BARE, lambda: start_bare(runtime))
    ways: dict[str, Callable[[], Jail]] = {HARNESS: partial(open_bare, runtime), COLD: partial(open_jail, runtime)}
    if numeric:
        ways[COLD_NUMERIC] = partial(open_jail, runtime, Profile.NUMERIC)
    for name, open_it in ways.items():
        before = _cpu_s()
        child = clock.time(name, partial(_opened_and_greeted, open_it))
        if name == COLD:
            clock.time(KILL, child.kill)
            clock.time(CLOSE, child.jail.close)
        else:
            child.kill()
            child.jail.close()
        clock.cpu.setdefault(name, []).append(_cpu_s() - before)


def _opened_and_greeted(open_it: Callable[[], Jail]) -> Child:
    return _greeted(open_it())


def _greeted(jail: Jail) -> Child:
    """Have a process forked, and wait until it says hello."""
    child = jail.fork()
    if not child.greet(GREETING_S):
        raise SandboxError(f"no process within {GREETING_S:.0f} s")
    return child


def _warm(clock: Clock, pool: Pool, forker: Forker, profile: Profile) -> None:
    """Take processes from a pool that had time, with and without a bot."""
    plain = profile is Profile.PLAIN
    pool.fill(1, profile)
    time.sleep(HAD_TIME_S)
    if plain:
        clock.time(BARE_FORK, forker.fork)
        child = clock.time(HANDED, lambda: _taken(pool, profile))
        pool.give_back(child, clean=True)
        time.sleep(HAD_TIME_S)
    bot = clock.time(HANDED_BOT if plain else HANDED_NUMERIC, lambda: _opened(pool, profile))
    if plain:
        clock.time(GIVE_BACK, bot.close)
    else:
        bot.close()


def _taken(pool: Pool, profile: Profile) -> Child:
    child = pool.take(profile)
    child.greet(GREETING_S)
    return child


def _opened(pool: Pool, profile: Profile) -> BotProcess:
    return BotProcess.open(
        RANDOM_BOTS[GAME], filename="bot.py", game=GAME, limits=Limits.of(profile, blocks=12), pool=pool
    )


def _forks(clock: Clock, times: int, runtime: Runtime) -> None:
    """Fork the harness without a jail, again and again."""
    jail = open_bare(runtime)
    try:
        for _ in range(times):
            clock.time(FORK, lambda: _greeted(jail)).kill()
    finally:
        jail.close()


def _cpu_a_start(profile: Profile, times: int) -> float:
    """Return the CPU seconds a bot's start, life without a game, and end, with its share in opening jails."""
    before = _cpu_s()
    with Pool() as pool:
        for _ in range(times):
            _opened(pool, profile).close()
    return (_cpu_s() - before) / times


def _cpu_s() -> float:
    """Return the CPU seconds of this process and of all its descendants that are gone."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


def _counted(clock: Clock, name: str, act: Callable[[], Any]) -> None:
    before = _cpu_s()
    clock.time(name, act)
    clock.cpu.setdefault(name, []).append(_cpu_s() - before)


def _peers(runtime: Runtime) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return the other sandboxes that can be measured here, and why the rest cannot."""
    assert runtime.python is not None
    commands = other_sandboxes(runtime.python)
    missing = {name: why for name, command in commands.items() if (why := usable(command))}
    return {f"bare Python in {name}": commands[name] for name in commands if name not in missing}, missing

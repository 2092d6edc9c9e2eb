"""The time to start and to end a bot's process, with the CPU time of all processes involved."""

import resource
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any, NamedTuple

from benchmarks.jails.bare import Forker, open_bare, start_bare
from benchmarks.matches import RANDOM_BOTS
from gangland_sandbox.asking import BotProcess
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.jail import Child, Jail, open_jail
from gangland_sandbox.limits import Limits, Profile
from gangland_sandbox.pool import Pool
from gangland_sandbox.runtime import Runtime, prepare

GAME = "gang-of-dice"
HAD_TIME_S = 0.01
"""The pause before a process is taken from a pool; in a match it is a whole rotation."""
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
ORDER = (BARE, HARNESS, COLD, COLD_NUMERIC, BARE_FORK, FORK, HANDED, HANDED_BOT, HANDED_NUMERIC, KILL, GIVE_BACK, CLOSE)
COLUMNS = ("start or end", "times", "median ms", "p95 ms", "CPU ms", "x bare Python", "x no jail")


class Start(NamedTuple):
    """One way to start or to end; the ratios are of wall time, medians of the rounds' ratios.

    Attributes:
        times: the number of repetitions.
        cpu_ms: CPU of referee, jail, zygote and bot per start, with their ends; None if another row includes it.
        of_bare: the ratio to a bare Python.
        of_harness: the ratio to the harness without a jail.
    """

    start: str
    times: int
    median_ms: float
    p95_ms: float
    cpu_ms: float | None
    of_bare: float
    of_harness: float


class Clock:
    """Collects the times of each way."""

    def __init__(self) -> None:
        self.wall: dict[str, list[float]] = defaultdict(list)
        self.cpu: dict[str, list[float]] = defaultdict(list)

    def time(self, name: str, act: Callable[[], Any]) -> Any:
        """Run a function, record its wall time and return its result."""
        began = time.perf_counter()
        result = act()
        self.wall[name].append(time.perf_counter() - began)
        return result

    def row(self, name: str) -> Start:
        """Return the medians of one way."""
        wall, cpu = self.wall[name], self.cpu.get(name)
        p95 = sorted(wall)[min(len(wall) - 1, round(0.95 * len(wall)))]
        cpu_ms = 1e3 * median(cpu) if cpu else None
        times = 1e3 * median(wall), 1e3 * p95
        return Start(name, len(wall), *times, cpu_ms, self._ratio(wall, BARE), self._ratio(wall, HARNESS))

    def _ratio(self, wall: list[float], base: str) -> float:
        base_wall, repetitions = self.wall[base], max(1, len(wall) // len(self.wall[base]))
        return median([own / base_wall[index // repetitions] for index, own in enumerate(wall)])


def measure(rounds: int, *, numeric: bool) -> list[Start]:
    """Measure as the user that opens jails."""
    runtime, clock = prepare(), Clock()
    profiles = [Profile.PLAIN, Profile.NUMERIC] if numeric else [Profile.PLAIN]
    with Forker(runtime) as forker, Pool() as pool:
        for _ in range(rounds):
            _cold(clock, runtime, numeric=numeric)
            for _ in range(WARM_A_ROUND):
                for profile in profiles:
                    _warm(clock, pool, forker, profile)
    jail = open_bare(runtime)
    try:
        for _ in range(rounds * WARM_A_ROUND):
            clock.time(FORK, lambda: _greeted(jail)).kill()
    finally:
        jail.close()
    for profile, name in zip(profiles, (HANDED_BOT, HANDED_NUMERIC), strict=False):
        clock.cpu[name] = [_cpu_a_start(profile, max(50, rounds * WARM_A_ROUND))]
    return [clock.row(name) for name in ORDER if name in clock.wall]


def _cold(clock: Clock, runtime: Runtime, *, numeric: bool) -> None:
    """Start each way from nothing, and end it."""
    before = _cpu_s()
    clock.time(BARE, lambda: start_bare(runtime))
    clock.cpu[BARE].append(_cpu_s() - before)
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
        clock.cpu[name].append(_cpu_s() - before)


def _opened_and_greeted(open_it: Callable[[], Jail]) -> Child:
    return _greeted(open_it())


def _greeted(jail: Jail) -> Child:
    """Fork a process, and wait for its hello."""
    child = jail.fork()
    if not child.wait_for_hello(GREETING_S):
        raise SandboxError(f"no process within {GREETING_S:.0f} s")
    return child


def _warm(clock: Clock, pool: Pool, forker: Forker, profile: Profile) -> None:
    """Take processes from a pool that had time to prepare them, with and without a bot."""
    pool.fill(1, profile)
    time.sleep(HAD_TIME_S)
    if profile is not Profile.PLAIN:
        clock.time(HANDED_NUMERIC, lambda: _opened(pool, profile)).close()
        return
    clock.time(BARE_FORK, forker.fork)
    child = clock.time(HANDED, lambda: _taken(pool, profile))
    pool.release(child, clean=True)
    time.sleep(HAD_TIME_S)
    bot = clock.time(HANDED_BOT, lambda: _opened(pool, profile))
    clock.time(GIVE_BACK, bot.close)


def _taken(pool: Pool, profile: Profile) -> Child:
    child = pool.acquire(profile)
    child.wait_for_hello(GREETING_S)
    return child


def _opened(pool: Pool, profile: Profile) -> BotProcess:
    limits = Limits.of(profile, blocks=12)
    return BotProcess.open(RANDOM_BOTS[GAME], filename="bot.py", game=GAME, limits=limits, pool=pool)


def _cpu_a_start(profile: Profile, times: int) -> float:
    """Return the CPU seconds of a bot's start, life without a game, and end, with its share of opening jails."""
    before = _cpu_s()
    with Pool() as pool:
        for _ in range(times):
            _opened(pool, profile).close()
    return (_cpu_s() - before) / times


def _cpu_s() -> float:
    """Return the CPU seconds of this process and of all its ended descendants."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)

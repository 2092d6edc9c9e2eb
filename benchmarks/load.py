"""Measure the effect of busy neighbors on bots: the CPU charged for the same work, and forfeits of honest bots.

    python -m benchmarks.load [--loops 6] [--games 1000] [--json] [--into benchmarks/results/speed.md]

Six busy programs run next to the tables, at the same priority.  A bot that does the same work in
every decision is charged with and without them, in turn; then the sensible house bots play both
games at two and four seats among them.  Every loop ends with this program, even if it is killed.
"""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from statistics import median
from typing import Any

from benchmarks import matches
from benchmarks.harness import Section, Table, parser, publish, ratio, run_in_turn
from benchmarks.matches import house_bots, one_match, play_match_in
from gangland.games import GAME_NAMES
from gangland_ladder.local.processes import Tables
from gangland_sandbox.asking import BotProcess
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool

LOOP = "import os, sys\nwhile os.getppid() == int(sys.argv[1]):\n    sum(range(100_000))\n"
FIXED_WORK = b"""
from gangland import gang_of_dice

class Fixed(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1 + sum(range(50_000)) % 2
"""
DECISIONS = 100
SEATS = (2, 4)
MAX_DRIFT = 0.10


@dataclass(frozen=True)
class Loaded:
    """The results.

    Attributes:
        quiet_us: the median CPU charged for a decision of the same work without the loops; loaded_us with them.
        drift: the increase with them, as a share: the median over the rounds.
        wall_ratio: the ratio of a decision's time with and without them, which proves the load.
        faults: of honest bots, by kind; voids: the number of void matches.
    """

    loops: int
    quiet_us: float
    loaded_us: float
    drift: float
    wall_ratio: float
    games: int
    faults: dict[str, int]
    voids: int

    @property
    def held(self) -> bool:
        """Whether all results are within their limits."""
        return abs(self.drift) < MAX_DRIFT and not self.faults and not self.voids


@contextmanager
def busy(loops: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Start busy programs, and always end them.

    Each has its own session: where the kernel shares the machine among sessions, one session of six loops would hardly
    be a load.
    """
    started: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(loops):
            alone = subprocess.Popen([sys.executable, "-S", "-c", LOOP, str(os.getpid())], start_new_session=True)
            started.append(alone)
        yield started
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()


def charged(pool: Pool, decisions: int) -> tuple[float, float]:
    """Return the median CPU charged for a decision of the same work, and the wall time of a decision."""
    limits = Limits.plain(matches.BLOCKS)
    with BotProcess.open(FIXED_WORK, filename="fixed.py", game="gang-of-dice", limits=limits, pool=pool) as bot:
        bot.start_game(seat=0, seats=2, options={}, rng_seed=bytes(32))
        charges = []
        began = time.perf_counter()
        for number in range(decisions):
            before = bot.cpu_s
            bot.ask("dice", (), number)
            charges.append(bot.cpu_s - before)
        return median(charges), (time.perf_counter() - began) / decisions


def measure(loops: int, games: int, rounds: int = 10) -> Loaded:
    """Measure with and without the loops, in turn."""
    with Tables() as tables, busy(loops) as neighbors:

        def among(order: signal.Signals) -> tuple[float, float]:
            for process in neighbors:
                process.send_signal(order)
            charges: list[tuple[float, float]] = list(tables.run(charged, [(DECISIONS,)]))
            return charges[0]

        ways = {"quiet": partial(among, signal.SIGSTOP), "loaded": partial(among, signal.SIGCONT)}
        results = run_in_turn(ways, rounds, warm_up=False)
        played, faults, voids = _play(tables, games)
    quiet, loaded = ([cpu for cpu, _ in results[way]] for way in ways)
    return Loaded(
        loops=loops,
        quiet_us=1e6 * median(quiet),
        loaded_us=1e6 * median(loaded),
        drift=ratio(loaded, quiet) - 1,
        wall_ratio=ratio([wall for _, wall in results["loaded"]], [wall for _, wall in results["quiet"]]),
        games=played,
        faults=dict(faults),
        voids=voids,
    )


def _play(tables: Tables, games: int) -> tuple[int, Counter[str], int]:
    """Let the sensible house bots play this number of games."""
    sensible = {game: {bot.name: bot.source for bot in house_bots(game)}["sensible_gang"] for game in GAME_NAMES}
    calls: list[tuple[Any, ...]] = []
    coming = 0
    while coming < games:
        for game, seats in product(GAME_NAMES, SEATS):
            calls.append(one_match(game, [sensible[game]] * seats, number=len(calls), seed=3, blocks=matches.BLOCKS))
            coming += seats * matches.BLOCKS
    played, faults, voids = 0, Counter[str](), 0
    for result in tables.run(play_match_in, calls):
        played += len(result.games)
        faults.update(fault.kind for game in result.games for fault in game.faults)
        voids += result.void is not None
    return played, faults, voids


def section(result: Loaded) -> Section:
    """Return a table of targets and results."""
    faults = ", ".join(f"{count} x {kind}" for kind, count in sorted(result.faults.items())) or "none"
    rows = (
        ("busy loops", f"{result.loops} on {len(os.sched_getaffinity(0))} cores"),
        ("a decision takes so many times as long", f"{result.wall_ratio:.2f}"),
        ("charged for the same work, without them", f"{result.quiet_us:.0f} us"),
        ("charged for the same work, with them", f"{result.loaded_us:.0f} us"),
        ("drift of the median (less than 10%)", f"{100 * result.drift:+.1f}%"),
        ("games of honest bots among them", str(result.games)),
        ("forfeits of honest bots (none)", faults),
        ("matches that came to nothing (none)", str(result.voids)),
    )
    return Section("load", (Table("load", "Bots with busy neighbors", ("what", "measured"), rows),))


def main() -> int:
    """Measure, print, and return the exit status."""
    line = parser("benchmarks.load", "Bots with busy neighbors.")
    line.add_argument("--loops", type=int, default=6, help="how many programs that never rest (6)")
    line.add_argument("--games", type=int, default=1000, help="how many games of honest bots (1000)")
    options = line.parse_args()
    result = measure(options.loops, options.games)
    publish(options, [section(result)], asdict(result))
    return 0 if result.held else 1


if __name__ == "__main__":
    sys.exit(main())

"""What busy neighbours do to bots: the CPU that is charged for the same work, and honest bots that forfeit.

    python -m benchmarks.load [--loops 6] [--games 1000] [--json] [--into benchmarks/results/speed.md]

Six programs that never rest run beside the tables, at the same priority.  A bot that does the same
work in every decision is charged with and without them, in turn; then the sensible house bots play
both games at two and four seats among them.  Every loop is ended with this program, and by itself
if this program is killed.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchmarks.matches import BLOCKS, play_match_in
from benchmarks.report import columns, machine, pipes, put
from gangland.games import GAME_NAMES
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.orders import local_order
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
MOST_DRIFT = 0.10


@dataclass(frozen=True)
class Loaded:
    """What came of it.

    Attributes:
        quiet_us: CPU that a decision of the same work was charged without the loops, median; loaded_us with them.
        drift: how much more with them, as a share: the median over the rounds.
        wall_ratio: how many times as long a decision took with them; that there was a load at all.
        faults: of honest bots, by kind; voids are matches that came to nothing.
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
        """Whether all was as it should be."""
        return abs(self.drift) < MOST_DRIFT and not self.faults and not self.voids


@contextmanager
def busy(loops: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Start programs that never rest; they are ended whatever happens.

    Each has a session of its own: where the kernel shares the machine among sessions, one session
    of six loops would hardly be a load.
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


def charged(pool: Pool, decisions: int) -> tuple[list[float], float]:
    """Return the CPU that each decision of the same work was charged, and the wall time of a decision."""
    limits = Limits.plain(BLOCKS)
    with BotProcess.open(FIXED_WORK, filename="fixed.py", game="gang-of-dice", limits=limits, pool=pool) as bot:
        bot.start_game(seat=0, seats=2, options={}, rng_seed=bytes(32))
        each = []
        began = time.perf_counter()
        for number in range(decisions):
            before = bot.cpu_s
            bot.ask("dice", (), number)
            each.append(bot.cpu_s - before)
        return each, (time.perf_counter() - began) / decisions


def measure(loops: int, games: int, rounds: int = 10) -> Loaded:
    """Measure with and without the loops."""
    quiet: list[tuple[list[float], float]] = []
    loaded: list[tuple[list[float], float]] = []
    with Tables() as tables, busy(loops) as neighbours:
        for _ in range(rounds):
            for taken, order in ((quiet, signal.SIGSTOP), (loaded, signal.SIGCONT)):
                for process in neighbours:
                    process.send_signal(order)
                taken += tables.run(charged, [(DECISIONS,)])
        played, faults, voids = _play(tables, games)
    rounds_of = list(zip(quiet, loaded, strict=True))
    middles = [(statistics.median(still), statistics.median(among)) for (still, _), (among, _) in rounds_of]
    return Loaded(
        loops=loops,
        quiet_us=1e6 * statistics.median([still for still, _ in middles]),
        loaded_us=1e6 * statistics.median([among for _, among in middles]),
        drift=statistics.median([among / still - 1 for still, among in middles]),
        wall_ratio=statistics.median([among / still for (_, still), (_, among) in rounds_of]),
        games=played,
        faults=dict(faults),
        voids=voids,
    )


def _play(tables: Tables, games: int) -> tuple[int, Counter[str], int]:
    """Have the sensible house bots play until there were so many games."""
    calls: list[tuple[Any, ...]] = []
    coming = 0
    while coming < games:
        for game in GAME_NAMES:
            for seats in SEATS:
                calls.append(_match(game, seats, len(calls)))
                coming += seats * BLOCKS
    played, faults, voids = 0, Counter[str](), 0
    for result in tables.run(play_match_in, calls):
        played += len(result.games)
        faults.update(fault.kind for game in result.games for fault in game.faults)
        voids += result.void is not None
    return played, faults, voids


def _match(game: str, seats: int, number: int) -> tuple[Any, ...]:
    source = (files("gangland_bots") / game.replace("-", "_") / "sensible_gang.py").read_bytes()
    bots = [LocalBot(f"sensible_{seat}", f"sensible_{seat}.py", source) for seat in range(seats)]
    order = local_order(game, bots, range(seats), seed=3, salt=b"", number=number, blocks=BLOCKS)
    return order, {bot.code: bot.source for bot in bots}


def text(found: Loaded, drawn: Callable[[list[list[str]]], str] = columns) -> str:
    """Return a table and a verdict."""
    faults = ", ".join(f"{count} x {kind}" for kind, count in sorted(found.faults.items())) or "none"
    rows: Sequence[tuple[str, str]] = (
        ("busy loops", f"{found.loops} on {len(os.sched_getaffinity(0))} cores"),
        ("a decision takes so many times as long", f"{found.wall_ratio:.2f}"),
        ("charged for the same work, without them", f"{found.quiet_us:.0f} us"),
        ("charged for the same work, with them", f"{found.loaded_us:.0f} us"),
        ("drift of the median (less than 10%)", f"{100 * found.drift:+.1f}%"),
        ("games of honest bots among them", str(found.games)),
        ("forfeits of honest bots (none)", faults),
        ("matches that came to nothing (none)", str(found.voids)),
    )
    cells = [["what", "measured"], *map(list, rows)]
    return f"{machine()}\n\n{drawn(cells)}"


def main() -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description="Bots with busy neighbours.")
    parser.add_argument("--loops", type=int, default=6, help="how many programs that never rest (6)")
    parser.add_argument("--games", type=int, default=1000, help="how many games of honest bots (1000)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--into", type=Path, metavar="PAGE", help="put the table into a page, between its marks")
    chosen = parser.parse_args()
    found = measure(chosen.loops, chosen.games)
    if chosen.into:
        put(chosen.into, "load", text(found, pipes))
    else:
        sys.stdout.write(json.dumps(asdict(found), indent=2) + "\n" if chosen.json else text(found))
    return 0 if found.held else 1


if __name__ == "__main__":
    sys.exit(main())

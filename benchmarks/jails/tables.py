"""Two tables on two cores beside one: whether they are in each other's way."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass

from benchmarks.jails.asked import QUICK_BOTS
from benchmarks.matches import BLOCKS, play_match_in
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.orders import local_order
from gangland_ladder.local.processes import Tables

MATCHES_A_TABLE = 1


@dataclass(frozen=True)
class TableFigures:
    """Jailed matches at one table and at two; the ratio is the median of the rounds' ratios."""

    game: str
    seats: int
    one_per_s: float
    two_per_s: float
    ratio: float


def measure(name: str, seats: int, rounds: int, one: Tables, two: Tables) -> TableFigures:
    """Measure in turn, several times over."""
    taken: list[tuple[float, float]] = []
    for number in range(rounds + 1):
        rates = _games_per_s(name, seats, one, 1), _games_per_s(name, seats, two, 2)
        if number:  # the first round is for imports and the first processes
            taken.append(rates)
    alone, together = (statistics.median(rates) for rates in zip(*taken, strict=True))
    return TableFigures(name, seats, alone, together, statistics.median([both / single for single, both in taken]))


def _games_per_s(name: str, seats: int, tables: Tables, count: int) -> float:
    bots = [LocalBot(f"quick_{seat}", f"quick_{seat}.py", QUICK_BOTS[name]) for seat in range(seats)]
    order = local_order(name, bots, range(seats), seed=7, salt=b"", number=1, blocks=BLOCKS)
    calls = [(order, {bot.code: bot.source for bot in bots})] * (MATCHES_A_TABLE * count)
    began = time.perf_counter()
    games = sum(len(result.games) for result in tables.run(play_match_in, calls))
    return games / (time.perf_counter() - began)

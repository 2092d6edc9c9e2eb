"""How often two bots of a match tie on mean place, for each game, number of seats and number of blocks.

Measured on the house bots with `python -m benchmarks.measured draws 300`: the chance that the differences of place over
so many blocks, drawn from 300 played ones for each pair at each table, add up to 0, as the mean over pairs.  Another
number of blocks lies on the straight line between its neighbours in logarithms of both; above the last, the chance
falls with the root of the blocks, as it does between two even bots.  The figures of a game lie with its analysis
(`analysis.games`); for a game that nobody measured those of `analysis.measured.UNMEASURED` stand in.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from math import exp, log, sqrt
from statistics import NormalDist

from gangland_ladder.analysis.games import measured
from gangland_ladder.analysis.measured import MEASURED_BLOCKS
from gangland_ladder.rating.closed_form import BETA

DEFAULT_BLOCKS = 12


@cache
def draw_probability(game: str, seats: int, blocks: int) -> float:
    """Return how likely a draw is between two bots at a match's table; above 0 and below 1/2.

    Raises:
        ValueError: no such game or table, or no block.
    """
    table = measured(game, seats)
    if table is None:
        raise ValueError(f"no draw probability is known for {game!r} with {seats!r} seats")
    if blocks < 1:
        raise ValueError(f"a match has 1 block or more, not {blocks!r}")
    chances = table.draws
    at = bisect_left(MEASURED_BLOCKS, blocks)
    if at == len(MEASURED_BLOCKS):
        return chances[-1] * sqrt(MEASURED_BLOCKS[-1] / blocks)
    if MEASURED_BLOCKS[at] == blocks:
        return chances[at]
    low, high = MEASURED_BLOCKS[at - 1], MEASURED_BLOCKS[at]
    part = log(blocks / low) / log(high / low)
    return exp((1 - part) * log(chances[at - 1]) + part * log(chances[at]))


@cache
def draw_margin(game: str, seats: int, blocks: int) -> float:
    """Return how far apart two performances are at most in a draw, in points of mu.

    Raises:
        ValueError: as `draw_probability` does.
    """
    return NormalDist().inv_cdf((draw_probability(game, seats, blocks) + 1) / 2) * sqrt(2) * BETA

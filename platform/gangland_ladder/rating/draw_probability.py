"""How often two bots of a match tie on mean place, for each game, number of seats and number of blocks.

Measured on the house bots with `python -m benchmarks.draws 300`: the chance that the differences of place over so
many blocks, drawn from 300 played ones for each pair at each table, add up to 0, as the mean over pairs.  Another
number of blocks lies on the straight line between its neighbours in logarithms of both; above the last, the chance
falls with the root of the blocks, as it does between two even bots.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from math import exp, log, sqrt
from statistics import NormalDist

from gangland_ladder.rating.closed_form import BETA

DEFAULT_BLOCKS = 12
MEASURED_BLOCKS = (*range(1, 13), 16, 24, 32, 48, 64, 96)
# fmt: off
MEASURED: dict[tuple[str, int], tuple[float, ...]] = {
    ("gangster-dice", 2): (
        0.4, 0.239, 0.17, 0.132, 0.108, 0.0915, 0.0789, 0.069, 0.061,
        0.0545, 0.049, 0.0444, 0.0313, 0.0184, 0.0123, 0.00705, 0.00484, 0.00303,
    ),
    ("gangster-dice", 3): (
        0.187, 0.129, 0.0677, 0.0628, 0.0408, 0.0398, 0.0287, 0.0283, 0.0219,
        0.0216, 0.0175, 0.0172, 0.0118, 0.00683, 0.00448, 0.00226, 0.00128, 0.000476,
    ),
    ("gangster-dice", 4): (
        0.235, 0.123, 0.0807, 0.0588, 0.0456, 0.0369, 0.0307, 0.0262, 0.0228,
        0.0202, 0.018, 0.0163, 0.0118, 0.00765, 0.00566, 0.00366, 0.00264, 0.00164,
    ),
    ("gang-of-dice", 2): (
        0.234, 0.128, 0.0818, 0.0576, 0.0432, 0.0338, 0.0275, 0.023, 0.0197,
        0.0172, 0.0152, 0.0137, 0.00984, 0.0066, 0.00516, 0.00379, 0.00311, 0.00238,
    ),
    ("gang-of-dice", 3): (
        0.0279, 0.052, 0.0145, 0.0213, 0.00813, 0.0121, 0.00556, 0.00809, 0.00427,
        0.00601, 0.00351, 0.00476, 0.00336, 0.00214, 0.00158, 0.00106, 0.000806, 0.000535,
    ),
    ("gang-of-dice", 4): (
        0.0479, 0.0222, 0.0134, 0.00929, 0.00694, 0.00548, 0.00451, 0.00383, 0.00332,
        0.00294, 0.00263, 0.00239, 0.00174, 0.00115, 0.000858, 0.000562, 0.000403, 0.000234,
    ),
}
# fmt: on
"""One chance for each of `MEASURED_BLOCKS`; at 12 blocks their standard errors are between 5 and 13 %.

At three seats an odd number of blocks ties less often than the even one after it, which is why each of the first
twelve stands here.  Never 0: a draw that cannot be would raise sigma in the package.
"""


@cache
def draw_probability(game: str, seats: int, blocks: int) -> float:
    """Return how likely a draw is between two bots at a match's table; above 0 and below 1/2.

    Raises:
        ValueError: no such game or table, or no block.
    """
    if (game, seats) not in MEASURED:
        raise ValueError(f"no draw probability is known for {game!r} with {seats!r} seats")
    if blocks < 1:
        raise ValueError(f"a match has 1 block or more, not {blocks!r}")
    chances = MEASURED[game, seats]
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

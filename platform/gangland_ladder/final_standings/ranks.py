"""Rank ranges: which ranks an entry may have in truth, all entries at once at the stated level.

Two entries are told apart where their difference is larger than chance makes the largest of all
differences, at the level, when all are equal (Tukey's studentised range).  An entry's range
begins after those that are beyond doubt better, and ends before those beyond doubt worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import erfc, exp, pi, sqrt

import numpy as np

from gangland_ladder.final_standings.fit import Fit

DIGITS = 9
"""Strengths that agree to so many digits are equal; what lies beyond is the arithmetic's."""
_STEP = 0.05
_FAR = 8.0


@dataclass(frozen=True, slots=True)
class Ranks:
    """What is known of the order, one an entry in the order of `Counts.entries`.

    Attributes:
        rank: by strength, 1 is best; equal strengths share a rank, as do those without a block, the last one.
        low, high: the range of ranks.
        group: (first, last) rank of the entries that are tied with it, itself among them.
        ahead: entries x entries, whether the first is beyond doubt better than the second.
    """

    rank: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    group: tuple[tuple[int, int], ...]
    ahead: np.ndarray


def ranks(fitted: Fit, level: float) -> Ranks:
    """Return rank ranges that all hold at once at the level.

    Raises:
        ValueError: a level that is not between 0 and 1.
    """
    size = len(fitted.strength)
    strength = np.round(fitted.strength, DIGITS)
    gap = strength[:, None] - strength[None, :]
    needed = needed_gap(level, size) * np.sqrt(fitted.variance)
    ahead = np.isfinite(needed) & (gap > np.round(needed, DIGITS))
    low = tuple(int(n) + 1 for n in ahead.sum(axis=0))
    high = tuple(size - int(n) for n in ahead.sum(axis=1))
    alone = np.bincount(fitted.part, minlength=size)[fitted.part] == 1
    listed = np.where(alone, -np.inf, strength)
    rank = tuple(1 + int((listed > own).sum()) for own in listed)
    return Ranks(rank, low, high, _groups(low, high), ahead)


def _groups(low: Sequence[int], high: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return for each range the run of ranks that overlapping ranges make with it."""
    runs: list[tuple[int, int]] = []
    for first, last in sorted(zip(low, high, strict=True)):
        if runs and first <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(last, runs[-1][1]))
        else:
            runs.append((first, last))
    return tuple(next(run for run in runs if run[0] <= first <= run[1]) for first in low)


@cache
def needed_gap(level: float, entries: int) -> float:
    """Return how many standard errors tell two of so many entries apart, all pairs at once.

    Raises:
        ValueError: a level that is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"a level lies between 0 and 1, not {level!r}")
    if entries < 2:
        return 0.0
    low, high = 0.0, 100.0
    while high - low > 10**-DIGITS:
        middle = (low + high) / 2
        if _all_within(middle, entries) < level:
            low = middle
        else:
            high = middle
    return high / sqrt(2)


def _all_within(width: float, entries: int) -> float:
    """Return the chance that so many standard normal draws lie within a width of each other."""
    steps = int((2 * _FAR + min(width, 2 * _FAR)) / _STEP)
    total = 0.0
    for number in range(steps + 1):
        lowest = -_FAR + number * _STEP - min(width, 2 * _FAR) / 2
        within = (erfc(-(lowest + width) / sqrt(2)) - erfc(-lowest / sqrt(2))) / 2
        total += exp(-lowest * lowest / 2) * within ** (entries - 1)
    return float(entries * total * _STEP / sqrt(2 * pi))

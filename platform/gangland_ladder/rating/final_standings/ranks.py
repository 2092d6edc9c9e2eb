"""Ranks out of draws: ranges, how sure the first place is, and which two are separated.

A bot that did worse against the same opponents never has the better range, probability or separation.  Of the
exact posterior that is true; what the draws' chance takes from it is put back here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gangland_ladder.rating.final_standings.fit import Fit

DIGITS = 9
"""Strengths that agree in so many decimals are equal."""
SLACK = 1.2
"""No range misses its rank with more than so many times the probability that is stated for all on average."""
_STEPS = 40
_SEED = 1


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ranks by strength, and what is known of them; one an entry in the order of `Counts.entries`.

    Attributes:
        rank: the best is 1; equal strengths share a rank, as do those without a block, the last one.
        low, high: the range of ranks.
        holds: how probable it is that the range holds the true rank.
        best: how probable it is that the entry is the best of all; None where entries that played are not joined.
        better: entries x entries, how probable it is that the first is better than the second; between parts 1/2.
        ahead: entries x entries, whether that is so probable that the two are separated.
    """

    rank: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    holds: tuple[float, ...]
    best: tuple[float | None, ...]
    better: np.ndarray
    ahead: np.ndarray


def ranks(fitted: Fit, drawn: np.ndarray, level: float) -> Ranks:
    """Return ranks and ranges.

    Args:
        drawn: strengths as `posterior.draws` returns them.
        level: the probability with which a range holds, on average over all that are not certain anyway.

    Raises:
        ValueError: a level that is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"a level lies between 0 and 1, not {level!r}")
    strength = np.round(fitted.strength, DIGITS) + 0.0
    alone = ~fitted.weight.any(axis=1)
    listed = np.where(alone, -np.inf, strength)
    rank = tuple(1 + int((listed > own).sum()) for own in listed)
    alike = classes(fitted.weight, strength)
    upto = _reached(fitted.part, drawn, alike, strength)
    low, high, holds = _ranges(upto, fitted.part, level)
    joined = len(set(fitted.part[~alone].tolist())) == 1
    first = [float(one) for one in upto[:, :1].sum(axis=1)]
    best = tuple(p if joined and not lonely else None for p, lonely in zip(first, alone, strict=True))
    better = _better(fitted.part, drawn, alike, strength)
    return Ranks(rank, low, high, holds, best, better, better >= level - 10**-DIGITS)


def classes(weight: np.ndarray, strength: np.ndarray) -> list[np.ndarray]:
    """Return the sets of two or more entries that met the same opponents as often, each best first.

    Args:
        weight: entries x opponents; the opponents are the entries and, after them, any others.
    """
    mark = np.random.RandomState(_SEED).random_sample(weight.shape[1])
    sums = (weight * mark).sum(axis=1)  # of two alike, these differ by nothing but what they are to each other
    left, found = np.nonzero(weight.any(axis=1))[0], []
    while len(left):
        first = left[0]
        apart = sums[left] - sums[first] - weight[first, left] * (mark[first] - mark[left])
        same = np.abs(apart) <= 10**-DIGITS * (1 + sums[first])
        members, left = left[same], left[~same]
        if len(members) > 1:
            found.append(members[np.lexsort((members, -strength[members]))])
    return found


def in_order(values: np.ndarray, alike: list[np.ndarray], strength: np.ndarray) -> np.ndarray:
    """Return values in which, of entries that met the same opponents, the stronger never has the lower one.

    Args:
        values: entries x anything.
    """
    result = values.copy()
    for members in alike:
        mine = result[members]
        _, group = np.unique(-strength[members], return_inverse=True)
        mine = np.array([mine[group == number].mean(axis=0) for number in range(group.max() + 1)])
        falling = np.minimum.accumulate(mine, axis=0)
        rising = np.maximum.accumulate(mine[::-1], axis=0)[::-1]
        result[members] = ((falling + rising) / 2)[group]
    return result


def _reached(part: np.ndarray, drawn: np.ndarray, alike: list[np.ndarray], strength: np.ndarray) -> np.ndarray:
    """Return how probable it is that an entry has a rank or a better one within its part: entries x ranks."""
    size = len(part)
    upto = np.ones((size, size))
    for number in np.unique(part):
        members = np.nonzero(part == number)[0]
        order = (-drawn[:, members]).argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
        for at, entry in enumerate(members):
            counted = np.bincount(order[:, at], minlength=len(members))
            upto[entry, : len(members)] = counted.cumsum() / len(drawn)
    return in_order(upto, alike, strength)


def _ranges(
    upto: np.ndarray, part: np.ndarray, level: float
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[float, ...]]:
    """Return the narrowest ranges that hold with the level on average, and none with much less."""
    size = len(upto)
    if not size:
        return (), (), ()
    least = 1 - SLACK * (1 - level)
    lows, highs, holds = _central(upto, 1 - level)
    for step in range(1, _STEPS + 1):
        tried = _central(upto, (1 - level) * (1 + (2 * SLACK - 1) * step / _STEPS))
        if tried[2].mean() >= level and tried[2].min() >= least:
            lows, highs, holds = tried
    elsewhere = size - np.bincount(part, minlength=size)[part]
    return (
        tuple(int(low) + 1 for low in lows),
        tuple(int(high) + 1 for high in highs + elsewhere),
        tuple(float(each) for each in holds),
    )


def _central(upto: np.ndarray, missed: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ranges that leave out at most half of so much probability on either side, and what they hold."""
    rows, room = np.arange(len(upto)), 10**-DIGITS
    lows = (upto > missed / 2 + room).argmax(axis=1)
    highs = (upto >= 1 - missed / 2 - room).argmax(axis=1)
    before = np.where(lows > 0, upto[rows, np.maximum(lows - 1, 0)], 0.0)
    return lows, highs, upto[rows, highs] - before


def _better(part: np.ndarray, drawn: np.ndarray, alike: list[np.ndarray], strength: np.ndarray) -> np.ndarray:
    size = len(part)
    better = np.full((size, size), 0.5)
    for entry in range(size):
        better[entry] = (drawn[:, entry, None] > drawn).mean(axis=0)
    better[part[:, None] != part[None, :]] = 0.5
    np.fill_diagonal(better, 0.5)
    better = in_order(1 - in_order(better, alike, strength).T, alike, strength)
    better = (better + 1 - better.T) / 2
    np.fill_diagonal(better, 0.5)
    return better

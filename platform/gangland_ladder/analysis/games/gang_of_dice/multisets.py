"""All multisets of faces that some dice may show, level by level, as arrays.

A level has every multiset of so many dice, by its index; one of n dice has C(n + 5, 5).  What a multiset becomes when a
die joins or goes is an array of indices, so that dynamic programming over dice is a few array operations a level.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gangland.gang_of_dice.counts import TESTS, Counts, counts_of
from gangland.gang_of_dice.warnings import FACES, WARNINGS

Floats: TypeAlias = "NDArray[np.float64]"
Ints: TypeAlias = "NDArray[np.int64]"
Flags: TypeAlias = "NDArray[np.bool_]"

MOST_DICE: Final = 16
"""A level of more dice would take too long: 16 have 20,349 multisets."""
_BASE: Final = MOST_DICE + 2
_KEYS: Final = _BASE ** np.arange(len(FACES), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Level:
    """The multisets of one number of dice.

    Attributes:
        counts: (multisets, 6), how often each face shows, the gangster first.
        totals: (multisets,), the total of each.
        fewer: (6, multisets), by face the index one level down if one such die goes; where none shows, that of another.
        index: the index of each multiset.
    """

    counts: Ints
    totals: Ints
    fewer: Ints
    index: dict[Counts, int]


@cache
def level(dice: int) -> Level:
    """Return the multisets of so many dice."""
    if dice > MOST_DICE:
        raise ValueError(f"at most {MOST_DICE} dice, not {dice}")
    rows = [counts_of(shown) for shown in combinations_with_replacement(FACES, dice)]
    counts = np.array(rows, dtype=np.int64)
    fewer = np.zeros_like(counts.T)
    if dice:
        below = level(dice - 1)
        some = counts.argmax(axis=1)  # a face that shows
        for face in FACES:
            goes = np.where(counts[:, face] > 0, face, some)
            left = counts.copy()
            left[np.arange(len(left)), goes] -= 1
            fewer[face] = _found(left, below)
    return Level(counts, counts @ np.array(FACES), fewer, {row: number for number, row in enumerate(rows)})


@cache
def more(dice: int) -> Ints:
    """Return (6, multisets): by face the index one level up of each multiset of so many dice if one such die joins."""
    counts, above = level(dice).counts, level(dice + 1)
    found = [_found(counts + np.eye(len(FACES), dtype=np.int64)[face], above) for face in FACES]
    return np.stack(found)


def _found(counts: Ints, among: Level) -> Ints:
    keys = among.counts @ _KEYS
    order = np.argsort(keys)
    found: Ints = order[np.searchsorted(keys, counts @ _KEYS, sorter=order)]
    return found


@cache
def triggered(card: int, dice: int) -> Flags:
    """Return (multisets,): whether each multiset of so many dice triggers a warning."""
    condition = WARNINGS[card].condition
    test = TESTS[condition.kind]
    return np.array([test(condition, counts) for counts in level(dice).index], dtype=np.bool_)

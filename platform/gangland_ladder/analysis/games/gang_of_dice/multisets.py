"""All multisets of faces that some dice may show, level by level, as arrays.

A level has every multiset of so many dice, by its index; one of n dice has C(n + 5, 5).  What a multiset becomes when a
die joins or goes is an array of indices, so that dynamic programming over dice is a few array operations a level.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gangland.gang_of_dice.counts import Counts
from gangland.gang_of_dice.warnings import FACES, NUMBERS, WARNINGS, Condition, ConditionKind

Floats: TypeAlias = "NDArray[np.float64]"
Ints: TypeAlias = "NDArray[np.int64]"
Flags: TypeAlias = "NDArray[np.bool_]"

MOST_DICE: Final = 16
"""A level of more dice would take too long: 16 have 20,349 multisets."""
_KEYS: Final = -((MOST_DICE + 2) ** np.arange(len(FACES), dtype=np.int64)[::-1])
"""Counts times these are numbers that rise along a level."""


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
    if not dice:
        return _level(np.zeros((1, len(FACES)), dtype=np.int64), np.zeros((len(FACES), 1), dtype=np.int64))
    below = level(dice - 1)
    parts = []
    for face in FACES:  # a die shows it and none shows less: the others are the last multisets of the level below
        others = below.counts[-comb(dice - 1 + FACES[-1] - face, dice - 1) :].copy()
        others[:, face] += 1
        parts.append(others)
    counts = np.concatenate(parts)
    fewer = np.empty_like(counts.T)
    some = counts.argmax(axis=1)  # a face that shows
    for face in FACES:
        goes = np.where(counts[:, face] > 0, face, some)
        left = counts.copy()
        left[np.arange(len(left)), goes] -= 1
        fewer[face] = _found(left, below)
    return _level(counts, fewer)


def _level(counts: Ints, fewer: Ints) -> Level:
    index = {(a, b, c, d, e, f): number for number, (a, b, c, d, e, f) in enumerate(counts.tolist())}
    return Level(counts, counts @ np.array(FACES), fewer, index)


@cache
def more(dice: int) -> Ints:
    """Return (6, multisets): by face the index one level up of each multiset of so many dice if one such die joins."""
    counts, above = level(dice).counts, level(dice + 1)
    found = [_found(counts + np.eye(len(FACES), dtype=np.int64)[face], above) for face in FACES]
    return np.stack(found)


def _found(counts: Ints, among: Level) -> Ints:
    found: Ints = np.searchsorted(among.counts @ _KEYS, counts @ _KEYS)
    return found


@cache
def triggered(card: int, dice: int) -> Flags:
    """Return (multisets,): whether each multiset of so many dice triggers a warning."""
    condition = WARNINGS[card].condition
    found: Flags = _MEASURES[condition.kind](condition, level(dice).counts) >= condition.number
    return found


# `TESTS` of the engine for a whole level: what has to reach the number of the condition ---------------


def _total(_: Condition, counts: Ints) -> Ints:
    found: Ints = counts @ np.array(FACES)
    return found


def _among(condition: Condition, counts: Ints) -> Ints:
    found: Ints = counts[:, list(condition.faces)].sum(axis=1)
    return found


def _equal(_: Condition, counts: Ints) -> Ints:
    found: Ints = counts[:, 1:].max(axis=1)
    return found


def _different(_: Condition, counts: Ints) -> Ints:
    found: Ints = (counts[:, 1:] > 0).sum(axis=1)
    return found


def _pairs(_: Condition, counts: Ints) -> Ints:
    found: Ints = (counts[:, 1:] > 1).sum(axis=1)
    return found


def _run(_: Condition, counts: Ints) -> Ints:
    longest = run = np.zeros(len(counts), dtype=np.int64)
    for number in NUMBERS:
        run = np.where(counts[:, number] > 0, run + 1, 0)
        longest = np.maximum(longest, run)
    return longest


_MEASURES: Final[dict[ConditionKind, Callable[[Condition, Ints], Ints]]] = {
    "total": _total,
    "among": _among,
    "equal": _equal,
    "different": _different,
    "pairs": _pairs,
    "run": _run,
}

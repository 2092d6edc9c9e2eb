"""Dice as counts of each face.  All dice are alike (D7), and counts are faster than lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import Final

from gangland.gang_of_dice.warnings import NUMBERS, Condition, ConditionKind

Dice = tuple[int, ...]
"""The faces of dice in ascending order, so the gangster (0) is first."""

Counts = tuple[int, int, int, int, int, int]
"""The same dice as counts: gangsters, ones, twos, threes, fours, fives."""

NO_DICE: Counts = (0, 0, 0, 0, 0, 0)


def counts_of(dice: Sequence[int]) -> Counts:
    """Return the count of each face."""
    count = dice.count
    return count(0), count(1), count(2), count(3), count(4), count(5)


def dice_of(counts: Counts) -> Dice:
    """Return the dice one by one."""
    return _FEW_DICE.get(counts) or _dice_of(counts)


def _dice_of(counts: Counts) -> Dice:
    gangsters, ones, twos, threes, fours, fives = counts
    return (0,) * gangsters + (1,) * ones + (2,) * twos + (3,) * threes + (4,) * fours + (5,) * fives


# Rolls of only a few dice are frequent, so they are computed in advance.
_FEW: Final = 5
_FEW_DICE: Final = {
    counts_of(dice): dice for count in range(1, _FEW + 1) for dice in combinations_with_replacement(range(6), count)
}


# Rerolls -----------------------------------------------------------------------------------------


def count_rerolls(dice: Counts) -> int:
    """Return the number of legal rerolls; a reroll has from 0 to all dice of each face."""
    gangsters, ones, twos, threes, fours, fives = dice
    return (gangsters + 1) * (ones + 1) * (twos + 1) * (threes + 1) * (fours + 1) * (fives + 1)


def reroll_at(dice: Counts, index: int) -> Counts:
    """Return the legal reroll with this index: 0 is the empty one, which stops; the last one has all dice."""
    gangsters, ones, twos, threes, fours, _ = dice
    rest, gangsters = divmod(index, gangsters + 1)
    rest, ones = divmod(rest, ones + 1)
    rest, twos = divmod(rest, twos + 1)
    rest, threes = divmod(rest, threes + 1)
    fives, fours = divmod(rest, fours + 1)
    return gangsters, ones, twos, threes, fours, fives


# Warnings: `WarningCard.triggered_by` for counted dice -------------------------------------------


def _total(condition: Condition, dice: Counts) -> bool:
    _, ones, twos, threes, fours, fives = dice
    return ones + 2 * twos + 3 * threes + 4 * fours + 5 * fives >= condition.number


def _among(condition: Condition, dice: Counts) -> bool:
    count = 0
    for face in condition.faces:
        count += dice[face]
    return count >= condition.number


def _pairs(condition: Condition, dice: Counts) -> bool:
    _, ones, twos, threes, fours, fives = dice
    return (ones > 1) + (twos > 1) + (threes > 1) + (fours > 1) + (fives > 1) >= condition.number


def _run(condition: Condition, dice: Counts) -> bool:
    longest = 0
    for count in dice[1:]:
        longest = longest + 1 if count else 0
        if longest == condition.number:
            return True
    return False


Test = Callable[[Condition, Counts], bool]
"""Returns whether counted dice meet a condition."""

TESTS: dict[ConditionKind, Test] = {
    "total": _total,
    "among": _among,
    "equal": lambda condition, dice: max(dice[1:]) >= condition.number,
    "different": lambda condition, dice: len(NUMBERS) - dice[1:].count(0) >= condition.number,
    "pairs": _pairs,
    "run": _run,
}

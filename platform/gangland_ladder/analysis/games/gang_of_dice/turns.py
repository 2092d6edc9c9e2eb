"""Solve a turn of Gang of Dice: multisets of faces, the best rerolls, and the plans of other seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gangland.gang_of_dice.counts import Counts
from gangland.gang_of_dice.state import ROLLS
from gangland.gang_of_dice.warnings import FACES, NUMBERS, WARNINGS, Condition, ConditionKind

# All multisets of faces that dice may show, level by level, as arrays.
#
# A level has all multisets with the same number of dice, by index; the level of n dice has C(n + 5, 5) multisets. For
# each multiset, arrays contain the indexes of the multisets with one die more or less, so dynamic programming over dice
# needs only a few array operations for each level.

Floats: TypeAlias = "NDArray[np.float64]"
Ints: TypeAlias = "NDArray[np.int64]"
Flags: TypeAlias = "NDArray[np.bool_]"

MAX_DICE: Final = 16  # A level with more dice would take too long: 16 dice have 20,349 multisets.
# The weighted sum of a multiset's counts with these factors increases along a level.
_KEYS: Final = -((MAX_DICE + 2) ** np.arange(len(FACES), dtype=np.int64)[::-1])


@dataclass(frozen=True, slots=True)
class Level:
    """All multisets of a number of dice."""

    counts: Ints  # (multisets, 6), the count of each face, starting with the gangster
    totals: Ints  # (multisets,), the total of each multiset
    # (6, multisets), for each face the index, one level down, of the multiset without one such die; for a face that it
    # does not have, the index for another face
    fewer: Ints
    index: dict[Counts, int]  # the index of each multiset


@cache
def level(dice: int) -> Level:
    """Return the multisets of this number of dice."""
    if dice > MAX_DICE:
        raise ValueError(f"expected at most {MAX_DICE} dice, not {dice}")
    if not dice:
        return _level(np.zeros((1, len(FACES)), dtype=np.int64), np.zeros((len(FACES), 1), dtype=np.int64))
    below = level(dice - 1)
    parts = []
    for face in FACES:  # the lowest face that a die shows; the other dice are among the last multisets one level down
        others = below.counts[-comb(dice - 1 + FACES[-1] - face, dice - 1) :].copy()
        others[:, face] += 1
        parts.append(others)
    counts = np.concatenate(parts)
    fewer = np.empty_like(counts.T)
    shown_face = counts.argmax(axis=1)  # a face that the dice show
    for face in FACES:
        removed = np.where(counts[:, face] > 0, face, shown_face)
        left = counts.copy()
        left[np.arange(len(left)), removed] -= 1
        fewer[face] = _indexes(left, below)
    return _level(counts, fewer)


def _level(counts: Ints, fewer: Ints) -> Level:
    index = {(a, b, c, d, e, f): number for number, (a, b, c, d, e, f) in enumerate(counts.tolist())}
    return Level(counts, counts @ np.array(FACES), fewer, index)


@cache
def indexes_above(dice: int) -> Ints:
    """Return (6, multisets): for each face, the index, one level up, of each multiset with one more such die."""
    counts, above = level(dice).counts, level(dice + 1)
    indexes = [_indexes(counts + np.eye(len(FACES), dtype=np.int64)[face], above) for face in FACES]
    return np.stack(indexes)


def _indexes(counts: Ints, among: Level) -> Ints:
    indexes: Ints = np.searchsorted(among.counts @ _KEYS, counts @ _KEYS)
    return indexes


@cache
def triggered(card: int, dice: int) -> Flags:
    """Return (multisets,): whether each multiset triggers a warning."""
    condition = WARNINGS[card].condition
    flags: Flags = _MEASURES[condition.kind](condition, level(dice).counts) >= condition.number
    return flags


# Triggers: the engine's `TESTS` for a whole level, each as the quantity that must reach the number in the condition.


def _run(_: Condition, counts: Ints) -> Ints:
    longest = run = np.zeros(len(counts), dtype=np.int64)
    for number in NUMBERS:
        run = np.where(counts[:, number] > 0, run + 1, 0)
        longest = np.maximum(longest, run)
    return longest


_MEASURES: Final[dict[ConditionKind, Callable[[Condition, Ints], Ints]]] = {
    "total": lambda _, counts: counts @ np.array(FACES),
    "among": lambda condition, counts: counts[:, list(condition.faces)].sum(axis=1),
    "equal": lambda _, counts: counts[:, 1:].max(axis=1),
    "different": lambda _, counts: (counts[:, 1:] > 0).sum(axis=1),
    "pairs": lambda _, counts: (counts[:, 1:] > 1).sum(axis=1),
    "run": _run,
}


# Solving a turn exactly: finding the best rerolls, given the values of the final results.
#
# The solution works backwards through the multisets that the dice may show, as in `boss_gang` (D6 to D12), with the
# values of all seats at once: the seat in turn maximizes its own value, the first channel, and the other values follow
# from its decisions.

_MIN_GAIN: Final = 1e-12  # Minimum gain of a reroll.


class Turn:
    """The best play with a number of dice under a warning.

    Args:
        card: number of the warning.
        final_values: (totals + 1, channels), the value of each final total from 0; the last row is for a bust. The seat
            maximizes the first channel.
    """

    def __init__(self, card: int, dice: int, final_values: Floats) -> None:
        self.dice = dice
        self.bust = final_values[-1]
        lost = triggered(card, dice)
        self._final = final_values.take(np.where(lost, len(final_values) - 1, level(dice).totals), axis=0)
        over = lost if WARNINGS[card].yellow else None  # the turn ends immediately (D11)
        last = means(self._final, dice)
        second = self._after_decision(last, over)
        first = means(second, dice)
        opening = self._after_decision(first, over)
        self._after = {1: opening, 2: second, ROLLS: self._final}
        self._means = {1: first, 2: last}
        self.start: Floats = means(opening, dice)[0][0]  # (channels,), the value before the first roll

    def _after_decision(self, rolled: list[Floats], over: Flags | None) -> Floats:
        best = best_kept(rolled)
        if over is not None:
            best[over] = self.bust
        return best

    def after(self, rolls: int, rolled: Counts) -> Floats:
        """Return (channels,), the value of having these dice after this number of rolls, before the seat decides."""
        values: Floats = self._after[rolls][level(self.dice).index[rolled]]
        return values

    def keep(self, rolls: int, kept_dice: Counts) -> Floats:
        """Return (channels,), the value of keeping these dice and rerolling the rest; keeping all means stopping."""
        dice = sum(kept_dice)
        if dice == self.dice:
            values: Floats = self._final[level(dice).index[kept_dice]]
        else:
            values = self._means[rolls][dice][level(dice).index[kept_dice]]
        return values


def means(final_values: Floats, dice: int) -> list[Floats]:
    """Return, by number of kept dice, the mean value of rolling the missing dice, given the values of full rolls."""
    levels = [final_values]
    for kept_dice in range(dice - 1, -1, -1):
        rolled, joined = levels[-1], indexes_above(kept_dice)
        mean = rolled[: joined.shape[1]].copy()  # a gangster does not change the index
        for face in NUMBERS:
            mean += rolled.take(joined[face], axis=0)
        mean /= len(FACES)
        levels.append(mean)
    return levels[::-1]


def best_kept(rolled: list[Floats]) -> Floats:
    """Return for each full multiset the value of keeping its best dice; ties go to keeping more dice."""
    best = rolled[0]
    for dice in range(1, len(rolled)):
        fewer, best_now = level(dice).fewer, rolled[dice].copy()
        own = best[:, 0].copy()
        kept_values = own.take(fewer[NUMBERS[0]])
        np.maximum(kept_values[: len(own)], own, out=kept_values[: len(own)])  # a gangster does not change the index
        for face in NUMBERS[1:]:
            np.maximum(kept_values, own.take(fewer[face]), out=kept_values)
        rows = np.flatnonzero(kept_values > best_now[:, 0] + _MIN_GAIN)
        if best.shape[1] == 1:
            best_now[rows, 0] = kept_values[rows]
        else:
            best_now[rows] = best.take(_best_of(own, fewer[:, rows]), axis=0)
        best = best_now
    return best


def _best_of(values: Floats, places: Ints) -> Ints:
    """Return, in each column of `places` (choices, ...), the first place with the highest value."""
    best, highest = places[0], values.take(places[0])
    for place in places[1:]:
        value = values.take(place)
        best = np.where(value > highest, place, best)
        highest = np.maximum(highest, value)
    return best


# Plans: the results of a turn in which a seat follows a plan. The plans describe the other seats when a round is solved
# backwards.
#
# A plan is a seat's goal: to lead, with a higher or lower chance that its total keeps the lead against later seats.
# The best plan depends on the round, but the results of a plan do not, so they are computed once per warning.

MAX_STAKED: Final = 9  # The reference's maximum stake if other seats follow, except in the judged turn.
_MIN_BENEFIT: Final = 0.005  # More dice help to reach a total only if they raise a probability by more than this.


class Plans:
    """The results of all plans under one warning.

    Args:
        card: number of the warning.
        ends: (dice, needed totals, plans, final totals), the probability of each final total; the rest up to 1 is the
            probability of a bust.
        reached: (MAX_DICE + 1, totals), the best probability of ending with each total or more.

    Attributes:
        most_useful: the largest number of dice that helps to reach a total.
    """

    def __init__(self, card: int, ends: Floats, reached: Floats) -> None:
        self.card = card
        self._reached = np.concatenate([reached, np.zeros((len(reached), 1))], axis=1)
        self._shares = []
        for dice in range(MAX_STAKED + 1):
            totals = dice * max(NUMBERS) + 1
            leads = np.arange(totals) >= np.arange(totals + 1)[:, None, None]
            self._shares.append(np.where(leads, ends[dice, : totals + 1, :, :totals], 0.0))
        self._chances = [shares.sum(axis=2) for shares in self._shares]
        better = [np.any(reached[dice] > reached[:dice].max(axis=0) + _MIN_BENEFIT) for dice in range(1, MAX_DICE + 1)]
        self.most_useful = MAX_DICE - better[::-1].index(True)

    def shares(self, dice: int) -> Floats:
        """Return (needs, plans, totals): the probability of ending with each total that leads, by needed total.

        The needed totals, or needs, are from 0 to one more than the highest total.
        """
        return self._shares[dice]

    def reached(self, dice: int) -> Floats:
        """Return (needs,): the best probability of ending with the needed total or more, for up to `MAX_DICE` dice."""
        return self._reached[dice, : dice * max(NUMBERS) + 2]

    def chance(self, dice: int) -> Floats:
        """Return (needs, plans): the probability of ending with the needed total or more."""
        return self._chances[dice]

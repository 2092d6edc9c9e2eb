"""A turn solved exactly: the best rerolls of some dice for any worth of what they may come to.

Backwards over the multisets that may show, as the boss does it (D6 to D12), for all seats' values at once: the seat
that rolls maximizes its own, the first channel, and the others follow from what it does.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from gangland.gang_of_dice.counts import Counts
from gangland.gang_of_dice.state import ROLLS
from gangland.gang_of_dice.warnings import FACES, NUMBERS, WARNINGS
from gangland_ladder.analysis.games.gang_of_dice.multisets import Flags, Floats, Ints, level, more, triggered

_EQUAL: Final = 1e-12
"""A reroll that is better by no more is not taken."""


class Turn:
    """Best play of a number of dice under a warning.

    Args:
        card: its number.
        worths: (totals + 1, channels), what each final total from 0 on is worth, a bust in the last row; the first
            channel is what the seat maximizes.
    """

    def __init__(self, card: int, dice: int, worths: Floats) -> None:
        self.dice = dice
        self.bust = worths[-1]
        lost = triggered(card, dice)
        self._final = worths.take(np.where(lost, len(worths) - 1, level(dice).totals), axis=0)
        over = lost if WARNINGS[card].yellow else None  # the turn ends at once (D11)
        last = means(self._final, dice)
        second = self._decided(last, over)
        first = means(second, dice)
        opening = self._decided(first, over)
        self._after = {1: opening, 2: second, ROLLS: self._final}
        self._means = {1: first, 2: last}
        self.start: Floats = means(opening, dice)[0][0]
        """(channels,), what the turn is worth before the first roll."""

    def _decided(self, rolled: list[Floats], over: Flags | None) -> Floats:
        best = best_kept(rolled)
        if over is not None:
            best[over] = self.bust
        return best

    def after(self, rolls: int, shown: Counts) -> Floats:
        """Return (channels,), what the turn is worth with these dice after so many rolls, before the seat decides."""
        found: Floats = self._after[rolls][level(self.dice).index[shown]]
        return found

    def keep(self, rolls: int, kept: Counts) -> Floats:
        """Return (channels,), what it is worth to keep these of the dice and roll the rest again; all of them stops."""
        dice = sum(kept)
        if dice == self.dice:
            found: Floats = self._final[level(dice).index[kept]]
        else:
            found = self._means[rolls][dice][level(dice).index[kept]]
        return found


def means(worths: Floats, dice: int) -> list[Floats]:
    """Return by number of dice kept what rolling the missing ones is worth on average, from the worths of all rolls."""
    levels = [worths]
    for kept in range(dice - 1, -1, -1):
        rolled, joined = levels[-1], more(kept)
        mean = rolled[: joined.shape[1]].copy()  # a gangster changes no index
        for face in NUMBERS:
            mean += rolled.take(joined[face], axis=0)
        mean /= len(FACES)
        levels.append(mean)
    return levels[::-1]


def best_kept(rolled: list[Floats]) -> Floats:
    """Return for all full multisets what is best kept of them worth, more dice preferred among equals."""
    best = rolled[0]
    for dice in range(1, len(rolled)):
        fewer, best_now = level(dice).fewer, rolled[dice].copy()
        own = best[:, 0].copy()
        kept = own.take(fewer[NUMBERS[0]])
        np.maximum(kept[: len(own)], own, out=kept[: len(own)])  # a gangster changes no index
        for face in NUMBERS[1:]:
            np.maximum(kept, own.take(fewer[face]), out=kept)
        rows = np.flatnonzero(kept > best_now[:, 0] + _EQUAL)
        if best.shape[1] == 1:
            best_now[rows, 0] = kept[rows]
        else:
            best_now[rows] = best.take(_best_of(own, fewer[:, rows]), axis=0)
        best = best_now
    return best


def _best_of(values: Floats, places: Ints) -> Ints:
    """Return the first of (choices, ...) places with the highest value."""
    best, highest = places[0], values.take(places[0])
    for place in places[1:]:
        value = values.take(place)
        best = np.where(value > highest, place, best)
        highest = np.maximum(highest, value)
    return best

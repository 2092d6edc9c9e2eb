"""What a turn comes to if a seat follows a plan: the other seats' turns, as a round is played backwards.

A plan says what a seat goes for: to lead, more or less sure that its total holds against the seats after it.  Which
plan is best hangs on the round; what the turn comes to then does not, so it is worked out once for every warning.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from gangland.gang_of_dice.warnings import NUMBERS
from gangland_ladder.analysis.games.gang_of_dice.multisets import MOST_DICE, Floats
from gangland_ladder.analysis.games.gang_of_dice.turns import Turn

MOST_STAKED: Final = 9
"""With seats to come the reference stakes no more dice than this, but for the turn that is judged."""
HIGHEST: Final = MOST_STAKED * max(NUMBERS)
"""The highest total of such a stake."""
LATER: Final = (0.0, 0.5, 1.0, 2.0, 4.0)
"""The plans: with so many seats to come that a total has to hold against."""
_WORTH: Final = 0.005
"""A number of dice that raises no chance by more than this does not help to reach a total."""


class Plans:
    """The turns under one warning.

    Args:
        card: its number.
        ends: what `solved_ends` returns.
        reached: (MOST_DICE + 1, totals): the best chance of so many dice to end with a total or more.

    Attributes:
        most_useful: the most dice that help to reach a total: for no total do more raise the chance to reach it.
    """

    def __init__(self, card: int, ends: Floats, reached: Floats) -> None:
        self.card = card
        self._reached = np.concatenate([reached, np.zeros((len(reached), 1))], axis=1)
        self._shares = []
        for dice in range(MOST_STAKED + 1):
            totals = dice * max(NUMBERS) + 1
            leads = np.arange(totals) >= np.arange(totals + 1)[:, None, None]
            self._shares.append(np.where(leads, ends[dice, : totals + 1, :, :totals], 0.0))
        self._chances = [shares.sum(axis=2) for shares in self._shares]
        better = [np.any(reached[dice] > reached[:dice].max(axis=0) + _WORTH) for dice in range(1, MOST_DICE + 1)]
        self.most_useful = MOST_DICE - better[::-1].index(True)

    def shares(self, dice: int) -> Floats:
        """Return (needs, plans, totals): the chance to end with each total that leads, by what is needed to lead.

        There are needs from 0 to one more than any total.
        """
        return self._shares[dice]

    def reached(self, dice: int) -> Floats:
        """Return (needs,): the best chance of so many dice, at most `MOST_DICE`, to end with what is needed or more."""
        return self._reached[dice, : dice * max(NUMBERS) + 2]

    def chance(self, dice: int) -> Floats:
        """Return (needs, plans): the chance to end with what is needed or more."""
        return self._chances[dice]


def solved_ends(card: int) -> Floats:
    """Return the chances to end with each total under a warning, worked out exactly.

    They are (MOST_STAKED + 1, HIGHEST + 2, plans, HIGHEST + 1), by dice, need, plan and final total; what is missing
    to 1 is a bust.
    """
    ends = np.zeros((MOST_STAKED + 1, HIGHEST + 2, len(LATER), HIGHEST + 1))
    reached = np.zeros((MOST_STAKED + 1, HIGHEST + 2))
    for dice in range(1, MOST_STAKED + 1):
        totals = dice * max(NUMBERS) + 1
        for need in range(totals):
            ends[dice, need, 0, :totals] = _ends(card, dice, np.arange(totals) >= need)
            reached[dice, need] = ends[dice, need, 0, need:].sum()
    beaten = reached.max(axis=0)
    for dice in range(1, MOST_STAKED + 1):
        totals = dice * max(NUMBERS) + 1
        for need in range(totals):
            for plan, later in enumerate(LATER[1:], 1):
                holds = (1 - beaten[1 : totals + 1]) ** later
                ends[dice, need, plan, :totals] = _ends(card, dice, np.where(np.arange(totals) >= need, holds, 0.0))
    return ends


def _ends(card: int, dice: int, worths: Floats) -> Floats:
    """Return (totals,), the chances of each final total under the best play for these worths of them."""
    totals = len(worths)
    channels = np.zeros((totals + 1, totals + 1))
    channels[:totals, 0] = worths
    channels[:totals, 1:] = np.eye(totals)
    found: Floats = Turn(card, dice, channels).start[1:]
    return found

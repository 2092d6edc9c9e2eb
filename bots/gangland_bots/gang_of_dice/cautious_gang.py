"""Cautious: stakes few dice, and rerolls only to avoid a bust.

Teaches: reading the warning.  The bot uses only `view.card.yellow` and `view.triggered`.
"""

from gangland import gang_of_dice


class CautiousGang(gang_of_dice.Bot):
    """Stake little, keep every valid roll, and let the others go bust."""

    def choose_dice(self, view):
        stake = 2 if view.card.yellow else 3
        return min(stake, view.pool)

    def choose_reroll(self, view):
        # A triggered yellow warning ends the turn before we are asked, so this is a black warning.
        if view.triggered:
            return view.dice
        return []

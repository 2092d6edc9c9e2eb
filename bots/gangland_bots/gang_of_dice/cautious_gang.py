"""Cautious: two dice, and no reroll but to mend a bust.

Teaches: reading the warning.  `view.card.yellow` and `view.triggered` are all that it looks at.
"""

from gangland import gang_of_dice


class CautiousGang(gang_of_dice.Bot):
    """Stake little, keep what counts, and let the others go bust."""

    def choose_dice(self, view):
        want = 2 if view.card.yellow else 3
        return min(want, view.pool)

    def choose_reroll(self, view):
        # A yellow trigger has ended the turn before we are asked, so this is a black warning.
        if view.triggered:
            return view.dice
        return []

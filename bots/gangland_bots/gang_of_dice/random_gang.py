"""Random: the least that a bot can be, and the mark that every other bot has to pass.

Teaches: the two questions of the game, and `self.rng`, the only chance that a bot should use,
for then every game of it can be played again.
"""

from gangland import gang_of_dice


class RandomGang(gang_of_dice.Bot):
    """Any number of dice, any reroll."""

    def choose_dice(self, view):
        return self.rng.randint(1, view.pool)

    def choose_reroll(self, view):
        return [face for face in view.dice if self.rng.random() < 0.5]

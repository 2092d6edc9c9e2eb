"""Random: the simplest bot, and the one that every other bot has to beat.

Teaches: the two questions of the game, and `self.rng`.  Use it for all random numbers, so that games can be replayed.
"""

from gangland import gang_of_dice


class RandomGang(gang_of_dice.Bot):
    """Choose any number of dice and any reroll."""

    def choose_dice(self, view):
        return self.rng.randint(1, view.pool)

    def choose_reroll(self, view):
        return [face for face in view.dice if self.rng.random() < 0.5]

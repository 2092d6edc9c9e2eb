"""Name endless kinds of decisions."""

import itertools

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    kinds = itertools.repeat("dice" * 100)

    def choose_dice(self, view):
        return 1

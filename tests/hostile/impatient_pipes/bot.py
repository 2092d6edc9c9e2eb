"""Make its pipes answer at once, ready or not."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for number in range(5):
            os.set_blocking(number, False)
        return 1

"""Wait without a time limit for a question that only comes after the answer."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return os.read(3, 1)

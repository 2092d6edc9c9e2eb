"""End the process while being imported."""

import os

from gangland import gang_of_dice


os._exit(0)


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1

"""End the process with status 1, plainly."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os._exit(1)

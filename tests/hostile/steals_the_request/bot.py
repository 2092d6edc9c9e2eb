"""Read the requests itself, ahead of the harness."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.read(3, 65536)
        return 1

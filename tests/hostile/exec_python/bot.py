"""Replace the harness by another Python."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.execv("/usr/bin/python3", ["python3", "-S", "-c", "print('fresh')"])

"""Write to stderr without end."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        while True:
            os.write(2, b"x" * 1000)

"""Draw the machine's randomness dry."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        while True:
            os.getrandom(1 << 20)

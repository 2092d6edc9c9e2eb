"""Write noise on every descriptor there is."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for descriptor in range(3, 16):
            try:
                os.write(descriptor, bytes(range(255, 0, -1)) * 20)
            except OSError:
                pass
        return 1

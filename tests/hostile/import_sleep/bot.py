"""Sleep while being imported."""

import time

from gangland import gang_of_dice


time.sleep(3600)


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1

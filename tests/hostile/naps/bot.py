"""Sleep a little at each decision."""

import time

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        time.sleep(0.3)
        return 1

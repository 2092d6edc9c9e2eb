"""Sleep in slices too short to be seen one by one."""

import time

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        while True:
            time.sleep(0.002)

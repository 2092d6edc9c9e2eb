"""Set the machine's clock."""

import time

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        time.clock_settime(time.CLOCK_REALTIME, 0)
        return 1

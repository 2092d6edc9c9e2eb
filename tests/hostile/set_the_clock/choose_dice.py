"""Set the machine's clock."""

import time


def choose_dice(self, view):
    time.clock_settime(time.CLOCK_REALTIME, 0)
    return 1

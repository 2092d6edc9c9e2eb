"""Put each pipe where the other was."""

import os


def choose_dice(self, view):
    os.dup2(3, 10)
    os.dup2(4, 3)
    os.dup2(10, 4)
    return 1

"""Stay below the limit of a decision, and use up the bank."""

import time


def choose_dice(self, view):
    until = time.process_time() + 0.3
    while time.process_time() < until:
        pass
    return 1

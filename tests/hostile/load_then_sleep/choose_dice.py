"""Make load on purpose, so that the sleep after it looks like waiting for a core."""

import time


def choose_dice(self, view):
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass
    time.sleep(3600)

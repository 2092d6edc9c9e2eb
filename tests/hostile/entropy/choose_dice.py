"""Draw the machine's randomness dry."""

import os


def choose_dice(self, view):
    while True:
        os.getrandom(1 << 20)

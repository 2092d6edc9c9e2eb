"""Wait without a time limit for a question that only comes after the answer."""

import os


def choose_dice(self, view):
    return os.read(3, 1)

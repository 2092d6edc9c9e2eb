"""End the process with status 1, plainly."""

import os


def choose_dice(self, view):
    os._exit(1)

"""End the process while being imported."""

import os


os._exit(0)


def choose_dice(self, view):
    return 1

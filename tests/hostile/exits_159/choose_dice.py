"""End the process with status 159, as if the filter had struck."""

import os


def choose_dice(self, view):
    os._exit(159)

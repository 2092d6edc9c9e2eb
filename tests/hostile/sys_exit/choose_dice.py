"""Leave politely."""

import sys


def choose_dice(self, view):
    sys.exit(0)

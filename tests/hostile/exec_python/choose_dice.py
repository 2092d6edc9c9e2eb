"""Replace the harness by another Python."""

import os


def choose_dice(self, view):
    os.execv("/usr/bin/python3", ["python3", "-S", "-c", "print('fresh')"])

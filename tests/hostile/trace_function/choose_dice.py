"""Trace every line, slowly."""

import sys


def slow(frame, event, argument):
    for _ in range(10**8):
        pass
    return slow


def choose_dice(self, view):
    sys.settrace(slow)
    sys.setprofile(slow)
    return 1

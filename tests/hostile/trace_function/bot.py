"""Trace every line, slowly."""

import sys

from gangland import gang_of_dice


def slow(frame, event, argument):
    for _ in range(10**8):
        pass
    return slow


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        sys.settrace(slow)
        sys.setprofile(slow)
        return 1

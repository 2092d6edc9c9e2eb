"""Match a pattern that never ends."""

import re


def choose_dice(self, view):
    return len(re.match(r"(a|aa)+$", "a" * 64 + "b"))

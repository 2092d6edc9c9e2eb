"""Read the machine's load, which another seat could raise and lower to say something."""

import os


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (OSError, ValueError) as failure:
        return [type(failure).__name__]


def choose_dice(self, view):
    self.log(*escaped(os.getloadavg))
    return 1

"""Die of a signal that it raises for itself."""

import signal


def choose_dice(self, view):
    signal.raise_signal(signal.SIGSEGV)
    return 1

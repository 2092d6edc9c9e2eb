"""Ignore every signal, then wait for a question that does not come."""

import os
import signal


def choose_dice(self, view):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    os.read(3, 1)

"""Load ctypes for a ptrace of its own: there is no ctypes."""

import ctypes


ctypes.CDLL(None).ptrace(0, 0, 0, 0)


def choose_dice(self, view):
    return 1

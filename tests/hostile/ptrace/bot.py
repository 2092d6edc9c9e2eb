"""Load ctypes for a ptrace of its own: there is no ctypes."""

import ctypes

from gangland import gang_of_dice

ctypes.CDLL(None).ptrace(0, 0, 0, 0)


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1

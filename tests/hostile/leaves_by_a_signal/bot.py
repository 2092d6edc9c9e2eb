"""Die of a signal that it raises for itself."""

import signal

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        signal.raise_signal(signal.SIGSEGV)
        return 1

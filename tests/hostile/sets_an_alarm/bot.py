"""Set a timer when its game starts, to be woken by it from a read of what does not come."""

import os
import signal

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def on_game_start(self, start):
        signal.signal(signal.SIGALRM, lambda *_: None)
        for which in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            try:
                signal.setitimer(which, 1e-4, 1e-4)
            except BaseException:
                continue

    def choose_dice(self, view):
        os.read(3, 1)
        return 1

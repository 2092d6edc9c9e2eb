"""Set the clocks that it can reach back to nothing."""

import time

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        time.process_time = time.perf_counter = time.monotonic = lambda: 0.0
        while True:
            pass

"""Wait for a condition, with a time limit, and go on at each of its ends."""

import threading

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        met = threading.Condition()
        with met:
            while True:
                try:
                    met.wait(1e-5)
                except BaseException:
                    continue

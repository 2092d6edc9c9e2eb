"""Stay below the limit of a decision, and use up the bank."""

import time

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        until = time.process_time() + 0.3
        while time.process_time() < until:
            pass
        return 1

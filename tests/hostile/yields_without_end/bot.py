"""Give the core away again and again."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        while True:
            os.sched_yield()

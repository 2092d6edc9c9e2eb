"""Wait for nothing at all, with a time limit."""

import select

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        while True:
            try:
                select.select([], [], [], 0.00001)
            except BaseException:
                continue

"""Answer by hand, then think on while the opponent is asked."""

import os

from frames import ANSWERS, frame

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    number = 3

    def choose_dice(self, view):
        self.number += 1
        if self.number < 7:
            return 1
        os.write(ANSWERS, frame(1, 4, self.asked, b"1"))
        while True:
            pass

    def act(self, decision):
        self.asked = getattr(self, "asked", 2) + 1
        return super().act(decision)

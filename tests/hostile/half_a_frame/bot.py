"""Write half a frame and wait."""

import os

from frames import ANSWERS, frame

from gangland import gang_of_dice


NEXT_QUESTION = 3


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.write(ANSWERS, frame(100, 4, 3)[:6])
        os.read(NEXT_QUESTION, 1)  # which does not come before the answer

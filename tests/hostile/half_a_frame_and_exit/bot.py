"""Write half a frame and be gone."""

import os

from frames import ANSWERS, frame

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.write(ANSWERS, frame(100, 4, 3)[:6])
        os._exit(0)

"""Write half a frame and be gone."""

import os

from frames import ANSWERS, frame


def choose_dice(self, view):
    os.write(ANSWERS, frame(100, 4, 3)[:6])
    os._exit(0)

"""Say that the game is over in the middle of it."""

import os
import time

from frames import ANSWERS, frame


def choose_dice(self, view):
    os.write(ANSWERS, frame(0, 3, 3))
    time.sleep(3600)

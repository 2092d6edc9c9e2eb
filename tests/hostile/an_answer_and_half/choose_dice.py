"""Write an answer, and half of another."""

import os
import time

from frames import ANSWERS, frame


def choose_dice(self, view):
    os.write(ANSWERS, frame(1, 4, 3, b"1") + frame(1, 4, 4)[:5])
    time.sleep(3600)

"""Answer NaN, in a frame by hand."""

import os
import time

from frames import ANSWERS, frame


def choose_dice(self, view):
    os.write(ANSWERS, frame(3, 4, 3, b"NaN"))
    time.sleep(3600)

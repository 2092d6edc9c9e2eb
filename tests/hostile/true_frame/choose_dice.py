"""Answer true where a number stands, in a frame by hand."""

import os
import time

from frames import ANSWERS, frame


def choose_dice(self, view):
    os.write(ANSWERS, frame(4, 4, 3, b"true"))
    time.sleep(3600)

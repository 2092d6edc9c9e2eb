"""Answer a number of four thousand digits, in a frame by hand."""

import os
import time

from frames import ANSWERS, frame


def choose_dice(self, view):
    os.write(ANSWERS, frame(4000, 4, 3, b"9" * 4000))
    time.sleep(3600)

"""Answer two thousand nested lists, in a frame by hand."""

import os
import time

from frames import ANSWERS, frame


def choose_dice(self, view):
    os.write(ANSWERS, frame(4000, 4, 3, b"[" * 2000 + b"]" * 2000))
    time.sleep(3600)

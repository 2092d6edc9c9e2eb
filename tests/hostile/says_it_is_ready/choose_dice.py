"""Say again that it is ready, under another name."""

import os
import time

from frames import ANSWERS, frame


def choose_dice(self, view):
    os.write(ANSWERS, frame(6, 2, 3, b"Honest"))
    time.sleep(3600)

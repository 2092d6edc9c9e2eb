"""Write frames of kinds that nobody has named."""

import os
import time

from frames import ANSWERS, frame


def choose_dice(self, view):
    for kind in (0, 7, 99, 255):
        os.write(ANSWERS, frame(0, kind, 3))
    time.sleep(3600)

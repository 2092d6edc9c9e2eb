"""Close every descriptor and sleep."""

import os
import time


def choose_dice(self, view):
    os.closerange(0, 64)
    time.sleep(3600)

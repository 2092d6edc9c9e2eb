"""Close every descriptor and go on."""

import os


def choose_dice(self, view):
    os.closerange(0, 64)
    return 1

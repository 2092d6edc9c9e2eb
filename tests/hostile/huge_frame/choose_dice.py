"""Announce a frame of four gigabytes."""

import os

from frames import ANSWERS, frame


def choose_dice(self, view):
    os.write(ANSWERS, frame(0xFFFFFFFF, 4, 3))
    return 1

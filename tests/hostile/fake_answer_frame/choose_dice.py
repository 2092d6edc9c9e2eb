"""Answer by hand on the answer pipe, then once more by the book."""

import os

from frames import ANSWERS, frame


def choose_dice(self, view):
    for number in range(1, 9):
        os.write(ANSWERS, frame(1, 4, number, b"1"))
    return 1

"""Log bytes that are no text, and words that read backwards."""

import os

from frames import ANSWERS, frame


def choose_dice(self, view):
    os.write(ANSWERS, frame(6, 5, 0, b"\xff\xfe\x1b[2J"))
    os.write(ANSWERS, frame(0, 5, 2**32 - 1))
    self.log("\u202egnol\u2066\x1b]0;title\x07\x9b31m", "\ud800", "\u3164\u2800", "e\u0301" * 300)
    return 1

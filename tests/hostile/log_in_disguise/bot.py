"""Log bytes that are no text, and words that read backwards."""

import os
import struct

from gangland import gang_of_dice


HEADER = struct.Struct("<IBI")
ANSWERS = 4


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.write(ANSWERS, HEADER.pack(6, 5, 0) + b"\xff\xfe\x1b[2J")
        os.write(ANSWERS, HEADER.pack(0, 5, 2**32 - 1))
        self.log("\u202egnol\u2066\x1b]0;title\x07\x9b31m", "\ud800", "\u3164\u2800", "e\u0301" * 300)
        return 1

"""Answer by hand on the answer pipe, then once more by the book."""

import os
import struct

from gangland import gang_of_dice


HEADER = struct.Struct("<IBI")
FIRST_PIPE = 4


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for number in range(1, 9):
            os.write(FIRST_PIPE, HEADER.pack(1, 4, number) + b"1")
        return 1

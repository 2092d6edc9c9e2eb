"""Announce a frame of four gigabytes."""

import os
import struct

from gangland import gang_of_dice


HEADER = struct.Struct("<IBI")
FIRST_PIPE = 4


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.write(FIRST_PIPE, HEADER.pack(0xFFFFFFFF, 4, 3))
        return 1

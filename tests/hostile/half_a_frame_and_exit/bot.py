"""Write half a frame and be gone."""

import os
import struct

from gangland import gang_of_dice


HEADER = struct.Struct("<IBI")
ANSWERS = 4


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.write(ANSWERS, HEADER.pack(100, 4, 3)[:6])
        os._exit(0)

"""Write half a frame and wait."""

import os
import struct
import time

from gangland import gang_of_dice


HEADER = struct.Struct("<IBI")
FIRST_PIPE = 4


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.write(FIRST_PIPE, HEADER.pack(100, 4, 3)[:6])
        time.sleep(3600)

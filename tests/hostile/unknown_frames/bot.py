"""Write frames of kinds that nobody has named."""

import os
import struct
import time

from gangland import gang_of_dice


HEADER = struct.Struct("<IBI")
ANSWERS = 4


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for kind in (0, 7, 99, 255):
            os.write(ANSWERS, HEADER.pack(0, kind, 3))
        time.sleep(3600)

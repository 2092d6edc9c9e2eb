"""Write an answer, and half of another."""

import os
import struct
import time

from gangland import gang_of_dice


HEADER = struct.Struct("<IBI")
ANSWERS = 4


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.write(ANSWERS, HEADER.pack(1, 4, 3) + b"1" + HEADER.pack(1, 4, 4)[:5])
        time.sleep(3600)

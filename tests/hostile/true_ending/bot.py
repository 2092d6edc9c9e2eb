"""Say that the game is over in the middle of it."""

import os
import struct
import time

from gangland import gang_of_dice


HEADER = struct.Struct("<IBI")
ANSWERS = 4


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.write(ANSWERS, HEADER.pack(0, 3, 3))
        time.sleep(3600)

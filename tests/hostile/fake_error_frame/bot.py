"""Say in the referee's own frames that the platform failed."""

import os
import struct
import time

from gangland import gang_of_dice


HEADER = struct.Struct("<IBI")
FIRST_PIPE = 4


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.write(FIRST_PIPE, HEADER.pack(24, 6, 3) + b"infrastructure\nthe host!")
        time.sleep(3600)

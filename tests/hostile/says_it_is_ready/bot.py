"""Say again that it is ready, under another name."""

import os
import struct
import time

from gangland import gang_of_dice


HEADER = struct.Struct("<IBI")
ANSWERS = 4


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.write(ANSWERS, HEADER.pack(6, 2, 3) + b"Honest")
        time.sleep(3600)

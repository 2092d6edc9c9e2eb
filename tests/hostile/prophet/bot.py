"""Answer the next questions before they are asked, and stop reading."""

import os
import struct

from gangland import gang_of_dice


HEADER = struct.Struct("<IBI")
FIRST_PIPE = 4


class Subject(gang_of_dice.Bot):
    def on_game_start(self, start):
        for number in range(3, 400):
            os.write(FIRST_PIPE, HEADER.pack(1, 4, number) + b"1")

    def choose_dice(self, view):
        return 1

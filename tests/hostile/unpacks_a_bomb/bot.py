"""Unpack kilobytes into nearly a gigabyte."""

import zlib

from gangland import gang_of_dice


packer = zlib.compressobj(9, zlib.DEFLATED, -15)
BOMB = (packer.compress(bytes(4 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)) * 200 + packer.flush()


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return len(zlib.decompress(BOMB, -15))

"""Unpack kilobytes into nearly a gigabyte."""

import zlib


packer = zlib.compressobj(9, zlib.DEFLATED, -15)
BOMB = (packer.compress(bytes(4 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)) * 200 + packer.flush()


def choose_dice(self, view):
    return len(zlib.decompress(BOMB, -15))

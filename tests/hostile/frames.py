"""The frames that a bot's process sends, made by hand: part of the upload of each bot that does."""

import struct

ANSWERS = 4


def frame(length, kind, number, content=b""):
    """Return a frame that announces this length, whatever its content is."""
    return struct.pack("<IBI", length, kind, number) + content

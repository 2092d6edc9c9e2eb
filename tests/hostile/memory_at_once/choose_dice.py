"""Take more memory than there is, in one piece."""


def choose_dice(self, view):
    return len(bytearray(8_000_000_000))

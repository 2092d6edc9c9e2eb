"""Raise the error of those who ran out of memory."""


def choose_dice(self, view):
    raise MemoryError("honest")

"""Raise an exception that never finishes saying what it is."""


class Endless(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__


def choose_dice(self, view):
    raise Endless

"""Raise an exception of its own that few catch, and cannot be shown."""


class Rude(BaseException):
    def __str__(self):
        raise Rude


def choose_dice(self, view):
    raise Rude

"""Raise an exception of its own that few catch, and cannot be shown."""

from gangland import gang_of_dice


class Rude(BaseException):
    def __str__(self):
        raise Rude


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        raise Rude

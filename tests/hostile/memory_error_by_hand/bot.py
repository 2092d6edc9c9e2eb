"""Raise the error of those who ran out of memory."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        raise MemoryError("honest")

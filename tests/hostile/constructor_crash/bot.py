"""Fail while being made."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1

    def __init__(self):
        self.wanted = {}["missing"]

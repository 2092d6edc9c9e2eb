"""Leave garbage whose collection makes more of it."""

from gangland import gang_of_dice


class Phoenix:
    def __init__(self):
        self.own = self

    def __del__(self):
        Phoenix()


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        while True:
            Phoenix()

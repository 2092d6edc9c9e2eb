"""Think for ever while being imported."""

from gangland import gang_of_dice


while True:
    pass


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1

"""Think for ever where no Python signal is looked at."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 7 ** (7 ** 9)

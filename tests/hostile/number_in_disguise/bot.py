"""Answer with a number that says that it is another."""

from gangland import gang_of_dice


class Many(int):
    def __index__(self):
        return 12

    def __str__(self):
        return "12]"


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return Many(1)

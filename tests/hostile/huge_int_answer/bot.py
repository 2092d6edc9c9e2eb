"""Return a number of five thousand digits."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 10 ** 5000

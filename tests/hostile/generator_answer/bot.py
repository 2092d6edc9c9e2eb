"""Answer with a generator that has no end."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return (number for number in iter(int, 1))

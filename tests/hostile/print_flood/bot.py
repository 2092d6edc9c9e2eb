"""Print without end."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        while True:
            print("x" * 1000)

"""Think for ever in a finalizer, out of the way of any exception."""

from gangland import gang_of_dice


class Last:
    def __del__(self):
        while True:
            pass


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        Last()
        return 1

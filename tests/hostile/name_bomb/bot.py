"""Give the class a name of a megabyte, with controls in it."""

from gangland import gang_of_dice


def choose_dice(self, view):
    return 1


Subject = type("\x1b[31m" + "N" * 1_000_000, (gang_of_dice.Bot,), {"choose_dice": choose_dice, "__module__": __name__})

"""Name kinds of decisions that are no words."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    kinds = ("\n", "dice\n=1", "\x1b[2J", "__class__", "\ud800", "\u202ex", "dice" * 1000)

    def choose_dice(self, view):
        return 1

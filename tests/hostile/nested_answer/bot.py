"""Return lists in lists in lists, past any depth that a decision has."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return [[[[[[1]]]]]]

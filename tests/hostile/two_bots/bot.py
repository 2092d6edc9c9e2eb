"""Hold two bots and do not say which."""

from gangland import gang_of_dice


class First(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1


class Second(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 2

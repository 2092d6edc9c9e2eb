"""Be harmless, and import a helper that is not."""

from deep import helper

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return helper.VALUE

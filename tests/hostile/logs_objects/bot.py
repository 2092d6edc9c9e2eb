"""Log an object whose words are endless."""

from gangland import gang_of_dice


class Endless:
    def __str__(self):
        return "x" * 20_000_000


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        self.log(Endless())
        return 1

"""Answer a reroll with a list of a hundred thousand faces."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return view.pool

    @classmethod
    def encode(cls, kind, answer):
        return [1] * 100_000

"""Answer with a list that never ends if it is asked, though it has no entries: it is read as the list that it is."""

import itertools

from gangland import gang_of_dice


class Endless(list):
    def __iter__(self):
        return itertools.repeat(1)


class Subject(gang_of_dice.Bot):
    @classmethod
    def encode(cls, kind, answer):
        return super().encode("reroll", Endless())

    def choose_dice(self, view):
        return view.pool

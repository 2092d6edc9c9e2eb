"""Answer with an object whose every method thinks for ever."""

from gangland import gang_of_dice


def for_ever(*arguments):
    while True:
        pass


class Slow:
    __repr__ = __str__ = __index__ = __int__ = __len__ = __iter__ = __eq__ = __hash__ = for_ever


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return Slow()

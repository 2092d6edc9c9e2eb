"""Answer with an object whose every method thinks for ever."""


def for_ever(*arguments):
    while True:
        pass


class Slow:
    __repr__ = __str__ = __index__ = __int__ = __len__ = __iter__ = __eq__ = __hash__ = for_ever


def choose_dice(self, view):
    return Slow()

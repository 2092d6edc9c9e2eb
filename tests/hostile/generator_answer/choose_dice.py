"""Answer with a generator that has no end."""


def choose_dice(self, view):
    return (number for number in iter(int, 1))

"""Think for ever where no Python signal is looked at."""


def choose_dice(self, view):
    return 7 ** (7 ** 9)

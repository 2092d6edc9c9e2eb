"""Return a number of five thousand digits."""


def choose_dice(self, view):
    return 10 ** 5000

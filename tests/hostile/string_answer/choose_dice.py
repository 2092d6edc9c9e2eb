"""Return a word."""


def choose_dice(self, view):
    return 'three'

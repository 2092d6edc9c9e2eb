"""Return nothing."""


def choose_dice(self, view):
    return None

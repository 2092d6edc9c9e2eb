"""Return lists in lists in lists, past any depth that a decision has."""


def choose_dice(self, view):
    return [[[[[[1]]]]]]

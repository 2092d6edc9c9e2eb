"""Wait for somebody to type."""


def choose_dice(self, view):
    return int(input("dice? "))

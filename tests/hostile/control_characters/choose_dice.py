"""Print and raise what would drive a terminal."""


def choose_dice(self, view):
    print("\x1b[2J\x1b]0;owned\x07\u202egnol")
    raise ValueError("\x1b[31mred\x1b[0m \u202e \x00")

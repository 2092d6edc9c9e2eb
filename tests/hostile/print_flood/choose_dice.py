"""Print without end."""


def choose_dice(self, view):
    while True:
        print("x" * 1000)

"""Think for ever while being imported."""


while True:
    pass


def choose_dice(self, view):
    return 1

"""Leave garbage whose collection makes more of it."""


class Phoenix:
    def __init__(self):
        self.own = self

    def __del__(self):
        Phoenix()


def choose_dice(self, view):
    while True:
        Phoenix()

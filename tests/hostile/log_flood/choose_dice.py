"""Log without end."""


def choose_dice(self, view):
    while True:
        self.log("x" * 1000)

"""Think for ever in a finalizer, out of the way of any exception."""


class Last:
    def __del__(self):
        while True:
            pass


def choose_dice(self, view):
    Last()
    return 1

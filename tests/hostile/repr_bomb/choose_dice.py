"""Return an object whose repr raises, and whose index lies."""


class Bomb:
    def __repr__(self):
        raise SystemExit(0)

    def __index__(self):
        raise KeyboardInterrupt


def choose_dice(self, view):
    return Bomb()

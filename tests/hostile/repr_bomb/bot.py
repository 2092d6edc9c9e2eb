"""Return an object whose repr raises, and whose index lies."""

from gangland import gang_of_dice


class Bomb:
    def __repr__(self):
        raise SystemExit(0)

    def __index__(self):
        raise KeyboardInterrupt


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return Bomb()

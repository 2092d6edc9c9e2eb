"""Answer every question about the class with a question."""

from gangland import gang_of_dice


class Meta(type(gang_of_dice.Bot)):
    def __subclasscheck__(cls, other):
        while True:
            pass

    def __instancecheck__(cls, other):
        raise SystemExit


class Subject(gang_of_dice.Bot, metaclass=Meta):
    def choose_dice(self, view):
        return 1

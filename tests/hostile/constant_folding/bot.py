"""Make the compiler compute."""

from gangland import gang_of_dice


A = ((((9**99)**99)**99) % 7, 'x' * 4000, [1] * 1000)
while A: A = [A, A]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1

"""Make the compiler compute."""


A = ((((9**99)**99)**99) % 7, 'x' * 4000, [1] * 1000)
while A: A = [A, A]


def choose_dice(self, view):
    return 1

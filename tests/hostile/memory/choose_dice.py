"""Take memory bit by bit."""


def choose_dice(self, view):
    kept = []
    while True:
        kept.append(bytearray(1_000_000))

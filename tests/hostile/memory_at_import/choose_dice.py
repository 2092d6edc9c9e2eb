"""Take memory while being imported."""


kept = []
while True:
    kept.append(bytearray(1_000_000))


def choose_dice(self, view):
    return 1

"""Take memory while being imported."""

from gangland import gang_of_dice


kept = []
while True:
    kept.append(bytearray(1_000_000))


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1

"""Take memory bit by bit."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        kept = []
        while True:
            kept.append(bytearray(1_000_000))

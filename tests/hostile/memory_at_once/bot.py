"""Take more memory than there is, in one piece."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return len(bytearray(8_000_000_000))

"""Hold half of its memory, then fail of something else."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        kept = bytearray(b"x") * 20_000_000
        raise ValueError(len(kept))

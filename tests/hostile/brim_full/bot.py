"""Hold nearly all of its memory, then fail of something else."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        kept = []
        try:
            while True:
                kept.append(bytearray(1_000_000))
        except MemoryError:
            kept.pop()
        raise ValueError(len(kept))

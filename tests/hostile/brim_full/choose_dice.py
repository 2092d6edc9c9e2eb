"""Hold nearly all of its memory, then fail of something else."""


def choose_dice(self, view):
    kept = []
    try:
        while True:
            kept.append(bytearray(1_000_000))
    except MemoryError:
        kept.pop()
    raise ValueError(len(kept))

"""Hold half of its memory, then fail of something else."""


def choose_dice(self, view):
    kept = bytearray(b"x") * 20_000_000
    raise ValueError(len(kept))

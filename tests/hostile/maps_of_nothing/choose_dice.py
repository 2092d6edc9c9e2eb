"""Map memory without touching it, until there is no more."""

import mmap


def choose_dice(self, view):
    kept = []
    try:
        while len(kept) < 10_000:
            kept.append(mmap.mmap(-1, 1 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ))
    except OSError:
        pass
    if len(kept) > 256:
        self.log("ESCAPED", len(kept))
    return 1

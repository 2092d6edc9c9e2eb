"""Keep one page of many large mappings: each has page tables of its own, which no resource limit counts."""

import mmap

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    kept = []

    def choose_dice(self, view):
        for _ in range(4_000):
            mapped = mmap.mmap(-1, 4 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            mapped[0] = 1
            mapped.resize(mmap.PAGESIZE)
            self.kept.append(mapped)
        if len(self.kept) > 37_000:
            self.log("ESCAPED: it holds more in pages and page tables than its memory")
        return 1

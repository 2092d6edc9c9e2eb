"""Make memory that can be written and run."""

import mmap
import os

from attempts import escaped


def choose_dice(self, view):
    every = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    for protection in (every, mmap.PROT_EXEC, mmap.PROT_READ | mmap.PROT_EXEC, mmap.PROT_WRITE | mmap.PROT_EXEC):
        for flags in (mmap.MAP_PRIVATE, mmap.MAP_SHARED):
            self.log(*escaped(lambda: mmap.mmap(-1, 65536, flags | mmap.MAP_ANONYMOUS, protection)))
    self.log(*escaped(lambda: mmap.mmap(os.open(os.__file__, os.O_RDONLY), 4096, mmap.MAP_PRIVATE, every)))
    return 1

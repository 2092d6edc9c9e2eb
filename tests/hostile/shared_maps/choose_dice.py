"""Map a file of the runtime for writing, so that every jail would run what it wrote."""

import mmap
import os
import sys

from attempts import escaped


def choose_dice(self, view):
    import gangland

    for path in (os.__file__, gangland.__file__, sys.executable, "/usr/bin/python3"):
        self.log(*escaped(lambda: os.open(path, os.O_RDWR)))
        try:
            file = os.open(path, os.O_RDONLY)
        except OSError:
            continue
        self.log(*escaped(lambda: mmap.mmap(file, 4096, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)))
        for call in (os.fchmod, os.ftruncate):
            self.log(*escaped(lambda: call(file, 0)))
        self.log(*escaped(lambda: os.fchown(file, 65534, 65534)))
        self.log(*escaped(lambda: os.setxattr(file, "user.mark", b"1")))
        os.close(file)
    return 1

"""Look at files and read them, which leaves marks (times, what is in the kernel's caches) for whoever shares them."""

import os

from attempts import escaped


def choose_dice(self, view):
    for path in ("/", os.__file__, "/usr/bin/python3", "/gangland/modules.bin", "/named/by/nobody", "", "."):
        for look in (os.stat, os.lstat, os.listdir, os.readlink, os.statvfs, os.utime, open, os.scandir, os.chdir):
            self.log(*escaped(lambda: look(path)))
        if os.access(path, os.F_OK) or os.access(path, os.R_OK) or os.path.exists(path):
            self.log("ESCAPED", path)
    for descriptor in range(5):
        self.log(*escaped(lambda: os.fstat(descriptor)))
    return 1

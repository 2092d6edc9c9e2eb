"""Climb above the root by relative paths, descriptors of folders and links."""

import os

from attempts import escaped


def choose_dice(self, view):
    for folder in ("/", ".", "/..", "/usr"):
        self.log(*escaped(lambda: os.open(folder, os.O_RDONLY | os.O_DIRECTORY)))
        self.log(*escaped(lambda: os.stat(folder)))
    for up in ("../" * 20, "usr/../" * 9 + "../../", "./.././../"):
        for path in ("etc/passwd", "root", "work", "var/lib/gangland", "home", "proc/1/root/etc/passwd"):
            for folder in (None, 0, 3, 4):
                self.log(*escaped(lambda: os.open(up + path, os.O_RDONLY, dir_fd=folder)))
    self.log(*escaped(lambda: os.chdir("..")))
    return 1

"""Climb above the root by relative paths, descriptors of folders and links."""

import os

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        root = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
        for up in ("../" * 20, "usr/../" * 9 + "../../", "./.././../"):
            for path in ("etc/passwd", "root", "work", "var/lib/gangland", "home", "proc/1/root/etc/passwd"):
                self.log(*escaped(lambda: os.open(up + path, os.O_RDONLY, dir_fd=root)))
        self.log(*escaped(lambda: os.fchdir(root) or os.chdir("..") or os.stat("etc")))
        if os.stat("/..").st_ino != os.stat("/").st_ino:
            self.log("ESCAPED above the root")
        os.close(root)
        return 1

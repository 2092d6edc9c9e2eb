"""Leave a mark in the times at which files were read, for whoever shares them."""

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
        folder = os.path.dirname(os.__file__)
        for name in sorted(os.listdir(folder))[:40]:
            path = os.path.join(folder, name)
            if name.endswith(".py"):
                before = os.stat(path)
                with open(path, "rb") as file:
                    file.read()
                after = os.stat(path)
                if (before.st_atime_ns, before.st_mtime_ns, before.st_ctime_ns) != (
                    after.st_atime_ns, after.st_mtime_ns, after.st_ctime_ns
                ):
                    self.log("ESCAPED", path)
                self.log(*escaped(lambda: os.utime(path)))
        return 1

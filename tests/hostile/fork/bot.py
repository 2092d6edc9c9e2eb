"""Fork, posix_spawn, subprocess, multiprocessing by hand."""

import os
import subprocess

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        self.log(*escaped(os.fork))
        self.log(*escaped(os.forkpty))
        self.log(*escaped(lambda: os.posix_spawn("/usr/bin/python3", ["python3"], {})))
        self.log(*escaped(lambda: subprocess.run(["/usr/bin/python3", "-c", "print(1)"])))
        self.log(*escaped(lambda: os.system("true") == 0 and "system worked" or 1 / 0))
        return 1

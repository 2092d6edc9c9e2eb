"""Fork, posix_spawn, subprocess, multiprocessing by hand."""

import os
import subprocess

from attempts import escaped


def choose_dice(self, view):
    self.log(*escaped(os.fork))
    self.log(*escaped(os.forkpty))
    self.log(*escaped(lambda: os.posix_spawn("/usr/bin/python3", ["python3"], {})))
    self.log(*escaped(lambda: subprocess.run(["/usr/bin/python3", "-c", "print(1)"])))
    self.log(*escaped(lambda: os.system("true") == 0 and "system worked" or 1 / 0))
    return 1

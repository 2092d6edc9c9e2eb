"""Send signals to every process, itself included."""

import os
import signal

from attempts import escaped


def choose_dice(self, view):
    for pid in (-1, 0, 1, 2, *range(100, 200)):
        self.log(*escaped(lambda pid=pid: os.kill(pid, signal.SIGKILL)))
    self.log(*escaped(lambda: os.killpg(os.getpgrp(), signal.SIGKILL)))
    return 1

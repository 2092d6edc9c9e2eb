"""Exit with every status in turn, through every door but the front one."""

import os
import signal


def choose_dice(self, view):
    try:
        os.kill(os.getpid(), signal.SIGKILL)
    except OSError:
        pass
    os._exit(128 + signal.SIGKILL)

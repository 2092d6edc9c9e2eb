"""Signal whoever started it, and whoever comes with a number."""

import os
import signal
import threading

from attempts import escaped


def choose_dice(self, view):
    for pid in (os.getppid(), os.getpid(), 1, 0, -1, 2, 3):
        for number in (0, signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
            self.log(*escaped(lambda: os.kill(pid, number)))
        self.log(*escaped(lambda: os.pidfd_open(pid or 1)))
        self.log(*escaped(lambda: os.getpgid(pid) > 2**30 or 1 / 0))
    self.log(*escaped(lambda: signal.raise_signal(signal.SIGSTOP)))
    self.log(*escaped(lambda: signal.pthread_kill(threading.get_ident(), signal.SIGKILL)))
    return 1

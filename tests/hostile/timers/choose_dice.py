"""Set timers that strike while others are asked."""

import faulthandler
import signal

from attempts import escaped


def choose_dice(self, view):
    self.log(*escaped(lambda: signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)))
    self.log(*escaped(lambda: signal.alarm(1) < 2**31 or 1 / 0))
    self.log(*escaped(lambda: faulthandler.dump_traceback_later(0.01)))
    return 1

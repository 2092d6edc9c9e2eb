"""Set timers that strike while others are asked."""

import faulthandler
import signal

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        self.log(*escaped(lambda: signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)))
        self.log(*escaped(lambda: signal.alarm(1) < 2**31 or 1 / 0))
        self.log(*escaped(lambda: faulthandler.dump_traceback_later(0.01)))
        return 1

"""Take more of the processor than is its share."""

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
        self.log(*escaped(lambda: os.nice(-5)))
        self.log(*escaped(lambda: os.sched_setaffinity(0, {0, 1})))
        self.log(*escaped(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))))
        return 1

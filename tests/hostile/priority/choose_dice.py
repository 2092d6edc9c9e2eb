"""Take more of the processor than is its share."""

import os

from attempts import escaped


def choose_dice(self, view):
    self.log(*escaped(lambda: os.nice(-5)))
    self.log(*escaped(lambda: os.sched_setaffinity(0, {0, 1})))
    self.log(*escaped(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))))
    return 1

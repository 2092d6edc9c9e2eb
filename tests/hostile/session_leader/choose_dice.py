"""Leave its session and its process group."""

import os

from attempts import escaped


def choose_dice(self, view):
    self.log(*escaped(os.setsid))
    self.log(*escaped(lambda: os.setpgid(0, 0)))
    self.log(*escaped(lambda: os.tcsetpgrp(0, os.getpgrp())))
    self.log(*escaped(lambda: os.openpty()))
    return 1

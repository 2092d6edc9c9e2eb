"""Leave its session and its process group."""

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
        self.log(*escaped(os.setsid))
        self.log(*escaped(lambda: os.setpgid(0, 0)))
        self.log(*escaped(lambda: os.tcsetpgrp(0, os.getpgrp())))
        self.log(*escaped(lambda: os.openpty()))
        return 1

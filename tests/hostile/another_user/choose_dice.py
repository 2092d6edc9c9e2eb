"""Become somebody else."""

import os

from attempts import escaped


def choose_dice(self, view):
    for name in ("setuid", "seteuid", "setgid", "setegid"):
        self.log(name, *escaped(lambda: getattr(os, name)(0)))
        self.log(name, *escaped(lambda: getattr(os, name)(1000)))
    self.log(*escaped(lambda: os.setresuid(0, 0, 0)))
    self.log(*escaped(lambda: os.setresgid(0, 0, 0)))
    self.log(*escaped(lambda: os.setgroups([0])))
    self.log(*escaped(lambda: os.initgroups("root", 0)))
    return 1

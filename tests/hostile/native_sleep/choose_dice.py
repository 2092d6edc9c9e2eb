"""Sleep by the call itself, through objects made by hand."""

import os

from native import native


NUMBER = {"x86_64": 35, "aarch64": 101}[os.uname().machine]


def choose_dice(self, view):
    native("syscall", NUMBER)(b"")
    self.log("ESCAPED: the call came back")
    return 1

"""Make a system call of the 32-bit world's numbers."""

from native import native


NUMBER = 0x40000000 + 39


def choose_dice(self, view):
    native("syscall", NUMBER)(b"")
    self.log("ESCAPED: the call came back")
    return 1

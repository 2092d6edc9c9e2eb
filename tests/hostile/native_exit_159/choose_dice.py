"""End by the C library's own _exit, with the status of one whom the filter has killed."""

from native import native


NUMBER = 159


def choose_dice(self, view):
    native("_exit", NUMBER)(b"")
    self.log("ESCAPED: the call came back")
    return 1

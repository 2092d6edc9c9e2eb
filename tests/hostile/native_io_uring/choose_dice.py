"""Call io_uring_setup itself, through objects made by hand."""

from native import native


NUMBER = 425


def choose_dice(self, view):
    native("syscall", NUMBER)(b"")
    self.log("ESCAPED: the call came back")
    return 1

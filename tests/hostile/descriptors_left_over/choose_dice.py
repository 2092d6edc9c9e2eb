"""Count its descriptors: five are its own, and a sixth would be somebody else's."""

import errno
import fcntl
import os


def choose_dice(self, view):
    for number in range(5, 1024):
        try:
            flags = fcntl.fcntl(number, fcntl.F_GETFD)
        except OSError:
            continue
        self.log("ESCAPED", number, flags)
    for number in (0, 1, 2, 3, 4):
        try:
            os.lseek(number, 0, os.SEEK_CUR)
            self.log("ESCAPED", number, "is no pipe")
        except OSError as failure:
            if failure.errno != errno.ESPIPE:
                self.log("ESCAPED", number, failure)
    return 1

"""Lock files that all jails share, or the pipes, to signal or to stop somebody."""

import fcntl
import os
import struct

from attempts import escaped


def choose_dice(self, view):
    self.log(*escaped(lambda: os.open(os.__file__, os.O_RDONLY)))
    lock = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
    for file in range(5):
        for operation in (fcntl.LOCK_EX, fcntl.LOCK_SH):
            self.log(*escaped(lambda: fcntl.flock(file, operation | fcntl.LOCK_NB)))
        for command in (fcntl.F_SETLK, fcntl.F_OFD_SETLK):
            self.log(*escaped(lambda: fcntl.fcntl(file, command, lock)))
        self.log(*escaped(lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)))
        self.log(*escaped(lambda: fcntl.fcntl(file, fcntl.F_NOTIFY, fcntl.DN_ACCESS)))
    return 1

"""Ask the system who runs it, where and since when."""

import os
import pwd
import socket

from attempts import escaped


def choose_dice(self, view):
    self.log(*escaped(lambda: pwd.getpwuid(os.getuid())))
    self.log(*escaped(lambda: os.getlogin()))
    self.log(*escaped(lambda: os.ttyname(0)))
    if os.getuid() != 65534 or os.getgid() != 65534 or set(os.getgroups()) - {65534}:
        self.log("ESCAPED", os.getuid(), os.getgid(), os.getgroups())
    if socket.gethostname() != "jail":
        self.log("ESCAPED", socket.gethostname())
    for name in ("PATH", "HOME", "USER", "REDIS_URL", "SECRET_KEY", "DATABASE_URL"):
        if name in os.environ:
            self.log("ESCAPED", name)
    return 1

"""Ask the system who runs it, where and since when."""

import os
import pwd
import socket

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
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

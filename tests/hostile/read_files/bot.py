"""Read what hosts keep secret."""

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
        for path in (
            "/etc/passwd", "/etc/shadow", "/root/.ssh/id_rsa", "/proc/1/environ", "/proc/self/status", "/proc/self/mem",
            "/dev/kmsg", "/dev/mem", "/sys/kernel/notes", "/var/run/docker.sock", "/run/secrets", "/home", "/tmp",
        ):
            self.log(*escaped(lambda path=path: open(path, "rb").read()))
            self.log(*escaped(lambda path=path: os.listdir(path)))
        return 1

"""Read what hosts keep secret."""

import os

from attempts import escaped


def choose_dice(self, view):
    for path in (
        "/etc/passwd", "/etc/shadow", "/root/.ssh/id_rsa", "/proc/1/environ", "/proc/self/status", "/proc/self/mem",
        "/dev/kmsg", "/dev/mem", "/sys/kernel/notes", "/var/run/docker.sock", "/run/secrets", "/home", "/tmp",
    ):
        self.log(*escaped(lambda path=path: open(path, "rb").read()))
        self.log(*escaped(lambda path=path: os.listdir(path)))
    return 1

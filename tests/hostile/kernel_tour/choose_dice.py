"""Make every call that the standard library offers and no game needs."""

import os
import resource
import select

from attempts import escaped


def choose_dice(self, view):
    attempts = {
        "eventfd": lambda: os.eventfd(0),
        "sendfile": lambda: os.sendfile(1, 0, 0, 10),
        "splice": lambda: os.splice(0, 1, 10),
        "copy_file_range": lambda: os.copy_file_range(0, 1, 10),
        "posix_fallocate": lambda: os.posix_fallocate(1, 0, 10),
        "sync": lambda: os.fsync(1),
        "mknod": lambda: os.mknod("/null", 0o20666, os.makedev(1, 3)),
        "nice": lambda: os.nice(1),
        "setpriority": lambda: os.setpriority(os.PRIO_PROCESS, 0, 5),
        "scheduler": lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)),
        "affinity": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
        "epoll": lambda: select.epoll(),
        "mlock": lambda: os.posix_openpt(0),
        "prlimit": lambda: resource.prlimit(1, resource.RLIMIT_CPU) if os.getpid() != 1 else 1 / 0,
        "getxattr": lambda: os.listxattr("/"),
        "setxattr": lambda: os.setxattr("/", "user.x", b""),
    }
    for name, attempt in attempts.items():
        self.log(name, *escaped(attempt))
    return 1

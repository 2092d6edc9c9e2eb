"""The kernel's files of control groups: who is in a group, moving, killing, making and removing."""

import errno
import logging
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

GONE_S: Final = 2.0
"""How long a killed group may take to be empty."""
LOOK_AGAIN_S: Final = 0.005
ATTEMPTS: Final = 10
"""How often a group is emptied into another before we give up: who forks meanwhile leaves a child behind."""


def move_all(source: Path, target: Path) -> None:
    """Move all processes to another group, also those they start meanwhile.  Raises OSError: the kernel refuses it."""
    for _ in range(ATTEMPTS):
        found = pids(source)
        if not found:
            return
        for pid in found:
            with suppress(ProcessLookupError):
                write(target / "cgroup.procs", str(pid))
    raise OSError(errno.EBUSY, "new processes appear as fast as they are moved", str(source))


def pids(group: Path) -> list[int]:
    """Return the processes in a group.  Raises OSError: it cannot be read, or one is in another namespace."""
    found = [int(line) for line in read(group / "cgroup.procs").split()]
    if 0 in found:
        raise OSError(errno.EPERM, "processes of another namespace are in the group", str(group))
    return found


def remove(group: Path) -> bool:
    """Kill all that is in a group and remove it with the groups in it; return whether it is gone."""
    until = time.monotonic() + GONE_S
    while group.is_dir():
        try:
            kill(group)
            for path, _, _ in os.walk(group, topdown=False):
                rmdir(Path(path))
        except OSError as failure:  # still busy, or somebody else was quicker with a part of it
            if time.monotonic() > until:
                log.warning("a control group cannot be removed: %s", failure)
                return False
            time.sleep(LOOK_AGAIN_S)
    return True


def kill(group: Path) -> None:
    """Kill all processes in a group and below; one by one on kernels before 5.14."""
    if (group / "cgroup.kill").exists():
        write(group / "cgroup.kill", "1")
        return
    for path, _, _ in os.walk(group):
        for pid in pids(Path(path)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def make(group: Path) -> None:
    """Make a group; the kernel puts its files there."""
    group.mkdir()


def rmdir(group: Path) -> None:
    """Remove an empty group, with the kernel's files in it."""
    group.rmdir()


def read(path: Path) -> str:
    """Return what the kernel says in a file."""
    return path.read_text()


def write(path: Path, text: str) -> None:
    """Write to a file of the kernel's, which is there or the group is none; one write is one order."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)

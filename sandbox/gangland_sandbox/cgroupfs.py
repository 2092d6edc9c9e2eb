"""Control groups through the kernel's files: list, move and kill processes, create and remove groups."""

import errno
import logging
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

REMOVE_TIMEOUT_S: Final = 2.0
"""The timeout for the removal of a group."""
RETRY_S: Final = 0.005
"""The time between two attempts to remove a group."""
ATTEMPTS: Final = 10
"""The maximum number of attempts to move all processes; a process that forks meanwhile leaves a child behind."""


def move_all(source: Path, target: Path) -> None:
    """Move all processes, and any that they start meanwhile, to another group.  Raises OSError: it failed."""
    for _ in range(ATTEMPTS):
        remaining = pids(source)
        if not remaining:
            return
        for pid in remaining:
            with suppress(ProcessLookupError):
                write(target / "cgroup.procs", str(pid))
    raise OSError(errno.EBUSY, "new processes appear as fast as they are moved", str(source))


def pids(group: Path) -> list[int]:
    """Return the processes in a group.  Raises OSError: unreadable, or a process is in another namespace."""
    numbers = [int(line) for line in read(group / "cgroup.procs").split()]
    if 0 in numbers:
        raise OSError(errno.EPERM, "processes of another namespace are in the group", str(group))
    return numbers


def remove(group: Path) -> bool:
    """Kill all processes in a group and remove it with its subgroups; return whether it is gone."""
    deadline = time.monotonic() + REMOVE_TIMEOUT_S
    while group.is_dir():
        try:
            kill(group)
            for path, _, _ in os.walk(group, topdown=False):
                rmdir(Path(path))
        except OSError as error:  # still busy, or another process has removed a part of it
            if time.monotonic() > deadline:
                log.warning("a control group cannot be removed: %s", error)
                return False
            time.sleep(RETRY_S)
    return True


def kill(group: Path) -> None:
    """Kill all processes in a group and its subgroups; one by one on kernels before 5.14."""
    if (group / "cgroup.kill").exists():
        write(group / "cgroup.kill", "1")
        return
    for path, _, _ in os.walk(group):
        for pid in pids(Path(path)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def make(group: Path) -> None:
    """Create a group; the kernel adds its files."""
    group.mkdir()


def rmdir(group: Path) -> None:
    """Remove an empty group; the kernel removes its files."""
    group.rmdir()


def read(path: Path) -> str:
    """Return the text of a kernel file."""
    return path.read_text()


def write(path: Path, text: str) -> None:
    """Write to an existing kernel file; one write is one command."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)

"""What a process has around it, counted as the kernel tells it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024


def families() -> list[list[int]]:
    """Return for each child of this process the child and all its descendants, unreaped ones among them."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError):
                status = Path(f"/proc/{entry}/stat").read_bytes().rpartition(b")")[2].split()
                children.setdefault(int(status[1]), []).append(int(entry))
    return [_family(pid, children) for pid in sorted(children.get(os.getpid(), ()))]


def _family(pid: int, children: dict[int, list[int]]) -> list[int]:
    return [pid, *(each for child in children.get(pid, ()) for each in _family(child, children))]


def descriptors() -> int:
    """Return how many descriptors this process has open."""
    return len(os.listdir("/proc/self/fd")) - 1  # the listing's own


def mounts() -> int:
    """Return how many mounts this process sees."""
    return len(Path("/proc/self/mountinfo").read_bytes().splitlines())


def namespaces(pids: list[int]) -> set[str]:
    """Return the namespaces of these processes that are not this process's own."""
    return {link for pid in pids for link in _namespaces(pid)} - _namespaces(os.getpid())


def _namespaces(pid: int) -> set[str]:
    found = set()
    for kind in ("cgroup", "ipc", "mnt", "net", "pid", "pid_for_children", "user", "uts"):
        with suppress(OSError):
            found.add(os.readlink(f"/proc/{pid}/ns/{kind}").replace("pid_for_children", "pid"))
    return found


def resident_kib(pid: int) -> int:
    """Return the memory of a process that lies in RAM, 0 if it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * PAGE_KIB
    except OSError:
        return 0

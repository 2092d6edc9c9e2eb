"""What a process has around it, so that before and after a match can be compared to the last entry."""

import ctypes
import gc
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.kits.processes_kit import descendants_of, is_alive

Snapshot = dict[str, set[str]]

PUBLIC = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/run/user")
OF_THE_TESTS = "gangland-test-"  # the tests' own folders and control groups begin so
SETTLED_S = 2.0
_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Make this process the parent of orphans, so that none escapes."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "this kernel adopts no orphans")


def around(folders: tuple[Path, ...]) -> Snapshot:
    """Return all that a match could leave behind; of public folders, only what belongs to this user."""
    gc.collect()  # what nobody refers to any more would go at some moment of its own
    processes = descendants_of(os.getpid())
    return {
        "processes": {f"{pid} {_name(pid)}" for pid in processes}, "descriptors": set(_descriptors()),
        "mounts": set(_mounts()),
        "namespaces": {link for pid in (os.getpid(), *processes) for link in _namespaces(pid)},
        "cgroups": {Path("/proc/self/cgroup").read_text(), *_own_cgroups()},
        "files": {entry for folder in folders for entry in _listing(folder)} | set(_own_public_files()),
        "folder": {os.getcwd()},
    }  # fmt: skip


def difference(before: Snapshot, folders: tuple[Path, ...]) -> list[str]:
    """Return what came and went since `before`; ending processes get two seconds."""
    until = time.monotonic() + SETTLED_S
    while True:
        after = around(folders)
        found = [f"{what} came: {entry}" for what in before for entry in sorted(after[what] - before[what])]
        found += [f"{what} went: {entry}" for what in before for entry in sorted(before[what] - after[what])]
        if not found or time.monotonic() > until:
            return found
        time.sleep(0.01)


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "?"


def _descriptors() -> Iterator[str]:
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            yield f"{number} {os.readlink(f'/proc/self/fd/{number}')}"


def _namespaces(pid: int) -> Iterator[str]:
    for kind in ("cgroup", "ipc", "mnt", "net", "pid", "pid_for_children", "user", "uts"):
        with suppress(OSError):
            yield os.readlink(f"/proc/{pid}/ns/{kind}")


def _mounts() -> Iterator[str]:
    """Yield all mounts except network namespaces of root, which other tests make."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        if not f"{line.split()[4]}/".startswith("/run/netns/"):
            yield line


def _own_cgroups() -> Iterator[str]:
    """Yield this user's empty control groups; used ones may belong to another test."""
    for root, folders, _ in os.walk("/sys/fs/cgroup"):
        folders[:] = [name for name in folders if not name.startswith(OF_THE_TESTS)]
        for name in folders:
            with suppress(OSError):
                folder = Path(root) / name
                if folder.stat().st_uid == os.getuid() and not (folder / "cgroup.procs").read_text():
                    yield str(folder)


def _listing(folder: Path) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            with suppress(OSError):
                facts = os.lstat(os.path.join(place, name))
                yield f"{place}/{name} {facts.st_mode:o} {facts.st_size} {facts.st_mtime_ns}"


def _own_public_files() -> Iterator[str]:
    for public in PUBLIC:
        with suppress(OSError):
            for entry in os.scandir(public):
                with suppress(OSError):
                    own = entry.stat(follow_symlinks=False).st_uid == os.getuid()
                    if own and not entry.name.startswith(OF_THE_TESTS):
                        yield entry.path


def gone(pid: int) -> str:
    for _ in range(500):
        if not is_alive(pid):
            return "gone"
        time.sleep(0.01)
    return "alive"

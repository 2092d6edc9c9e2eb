"""Limit a jail's memory and processes exactly with control groups (version 2), if this machine allows them.

They are created in a delegated group, according to the kernel's admin-guide/cgroup-v2:

    home/                         delegated to us; it has no processes itself, so that it can pass on controllers
      gangland-rest/              its former processes: a supervisor and its other children
      gangland-PID-START/         one process that plays, owned by the jail's user
        self/                     that process and its children
        box-N/                    one jail

If root starts us and no service manager divides the tree, `home` is the root group, and its processes stay in it.

Without version 2 the jails are still safe: resource limits apply to every jail, and page tables, which resource limits
do not count, are measured from outside (`memory`).
"""

from __future__ import annotations

import itertools
import logging
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gangland_sandbox.cgroupfs import make, move_all, pids, read, remove, rmdir, write
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.privileges import JAIL_ID, is_root

log = logging.getLogger(__name__)

ROOT: Final = Path("/sys/fs/cgroup")
MEMBERSHIP: Final = Path("/proc/self/cgroup")
CONTROLLERS: Final = ("memory", "pids")
FALLBACK: Final = "resource limits apply to the jails, and page tables are measured from outside"
"""The limits without control groups."""
BOOT_HINT: Final = "for exact limits: boot with systemd.unified_cgroup_hierarchy=1"
MANAGER: Final = Path("/run/systemd/system")
"""A folder that exists if systemd divides the tree."""
REST: Final = "gangland-rest"
SELF: Final = "self"
_GROUP_NAME: Final = re.compile(r"gangland-([0-9]+)-([0-9]+)")
MARKS: Final = ("user.delegate", "trusted.delegate")
"""Extended attributes that systemd sets to 1 on a delegated group."""
SWAP: Final = "memory.swap.max"
"""Missing if the kernel does not count swap."""


@dataclass(frozen=True, slots=True)
class Survey:
    """The control groups of this machine."""

    description: str  # with steps to better limits if possible
    home: Path | None = None  # the group delegated to us with all required controllers


def survey(root: Path = ROOT, *, membership: Path = MEMBERSHIP, controllers: tuple[str, ...] = CONTROLLERS) -> Survey:
    """Return the control groups of this machine, without changing anything."""
    if not (root / "cgroup.controllers").exists():
        return Survey(_describe_older(root))
    own = _own_group(root, membership)
    if own is None:
        return Survey(f"v2, but this process's own group is not visible; {FALLBACK}")
    home = _home(own, root)
    if not _is_delegated(home, root):
        if not _can_divide(root):
            return Survey(
                f"v2, not delegated; {FALLBACK} (for exact limits under systemd: `Delegate=memory pids` in the unit; "
                "`gangland up` in a session asks systemd for a scope with it; in a container: a cgroup namespace of "
                "its own, mounted writable)"
            )
        home = root
    missing = sorted(set(controllers) - set(read(home / "cgroup.controllers").split()))
    if missing:
        names = " and ".join(missing)
        return Survey(
            f"v2, delegated without {names}; {FALLBACK} (for exact limits: `Delegate=memory pids` in the unit; for a "
            "user's own services, a drop-in of user@.service with the same line)"
        )
    return Survey("v2, delegated: memory and processes of every jail can be counted exactly", home)


class Box:
    """The control group of one jail."""

    def __init__(self, folder: Path, settings: dict[str, str], controllers: tuple[str, ...]) -> None:
        """Create a group and set the limits of these controllers.  Raises SandboxError: the kernel refuses it."""
        self._folder = folder
        self._is_open = True
        try:
            make(folder)
            for name, value in settings.items():
                if name.split(".")[0] in controllers and (name != SWAP or (folder / SWAP).exists()):
                    write(folder / name, value)
            self._kills = self._oom_kills()
        except OSError as error:
            remove(folder)
            raise SandboxError(f"no control group for a jail: {error}") from error

    def add(self, pid: int) -> None:
        """Move a process and its later children into the group; its existing memory stays charged to its old group.

        Raises SandboxError: the kernel refuses it, or the process is gone.
        """
        try:
            write(self._folder / "cgroup.procs", str(pid))
        except OSError as error:
            raise SandboxError(f"process {pid} cannot be put in its control group: {error}") from error

    def out_of_memory(self) -> bool:
        """Return whether the kernel has killed a process of the group for lack of memory."""
        return self._oom_kills() > self._kills

    def close(self) -> None:
        """Kill all processes of the group and remove it; may be called twice.  Raises SandboxError: one survives."""
        if self._is_open:
            if not remove(self._folder):
                raise SandboxError(f"the control group {self._folder} cannot be emptied")
            self._is_open = False

    def _oom_kills(self) -> int:
        try:
            counts = dict(line.split() for line in read(self._folder / "memory.events").splitlines())
        except FileNotFoundError:  # without the controller
            return 0
        return int(counts.get("oom_kill", 0))


class Cgroups:
    """A delegated group with a box for every jail."""

    def __init__(self, folder: Path, controllers: tuple[str, ...] = CONTROLLERS) -> None:
        self.folder = folder
        self._controllers = controllers
        self._numbers = itertools.count(1)

    @classmethod
    def find(
        cls, root: Path = ROOT, *, membership: Path = MEMBERSHIP, controllers: tuple[str, ...] = CONTROLLERS
    ) -> Cgroups | None:
        """Set up the delegated group, or return None if there is none (see `survey`) or it cannot be used (logged).

        This process moves into its own group, and groups of dead processes are removed.  As root, call it before
        dropping root privileges: the new groups get the jail's user as owner.
        """
        home = survey(root, membership=membership, controllers=controllers).home
        if home is None:
            return None
        for group in home.glob("gangland-*"):
            parts = _GROUP_NAME.fullmatch(group.name)
            if parts and not _is_alive(int(parts[1]), parts[2]) and not remove(group):
                log.warning("the control group of a dead process cannot be removed: %s", group)
        folder = home / f"gangland-{os.getpid()}-{_start_ticks(os.getpid())}"
        try:
            _set_up(home, folder, controllers)
        except OSError as error:
            log.warning("control groups are delegated, but cannot be used: %s", error)
            _restore(home, folder)
            return None
        return cls(folder, controllers)

    def describe(self) -> str:
        """Return a description of the groups as readable text."""
        return f"v2, delegated: each jail has its own group in {self.folder}"

    def box(self, memory_bytes: int, processes: int) -> Box:
        """Return a new, empty box.  Raises SandboxError: the kernel refuses it."""
        settings = {
            "memory.max": str(memory_bytes),
            "memory.swap.max": "0",
            "memory.oom.group": "0",
            "pids.max": str(processes),
        }
        return Box(self.folder / f"box-{next(self._numbers)}", settings, self._controllers)


def _describe_older(root: Path) -> str:
    if (root / "unified" / "cgroup.controllers").exists():
        return f"hybrid: v1, and a v2 tree without memory and pids; {FALLBACK} ({BOOT_HINT})"
    if (root / "memory").is_dir() or (root / "pids").is_dir():
        return f"v1; {FALLBACK} ({BOOT_HINT})"
    return f"none; {FALLBACK}"


def _own_group(root: Path, membership: Path) -> Path | None:
    try:
        lines = membership.read_text().splitlines()
        inside = next(line for line in lines if line.startswith("0::/")).removeprefix("0::/")
        own = root / inside
        listed = pids(own)
    except (OSError, StopIteration):
        return None
    return own if os.getpid() in listed and ".." not in Path(inside).parts else None


def _home(own: Path, root: Path) -> Path:
    while own != root and (own.name in (REST, SELF) or _GROUP_NAME.fullmatch(own.name)):
        own = own.parent
    return own


def _is_delegated(home: Path, root: Path) -> bool:
    """Return whether a group is delegated to us: marked by systemd, a container's own, or owned by this user."""
    if not (home / "cgroup.events").exists():  # the root group does not have this file, and is never delegated
        return False
    if not all(os.access(home / name, os.W_OK) for name in ("", "cgroup.procs", "cgroup.subtree_control")):
        return False
    if home == root or any(_is_marked(home, name) for name in MARKS):
        return True
    return not is_root() and home.stat().st_uid == os.geteuid() != home.parent.stat().st_uid


def _can_divide(root: Path) -> bool:
    """Return whether we may divide this group: it is the root group without a manager, and we are root."""
    is_top = not (root / "cgroup.events").exists()
    return is_top and is_root() and not MANAGER.exists() and os.access(root / "cgroup.subtree_control", os.W_OK)


def _is_marked(folder: Path, name: str) -> bool:
    try:
        return os.getxattr(folder, name) == b"1"
    except OSError:  # not marked, or not visible to this user
        return False


def _set_up(home: Path, folder: Path, controllers: tuple[str, ...]) -> None:
    """Create this process's groups, empty `home` (unless it is the root group), and pass on the controllers."""
    for group in (folder, folder / SELF):
        make(group)
        if is_root():
            names = ("cgroup.procs", "cgroup.subtree_control", "cgroup.threads")
            for path in (group, *(group / name for name in names)):
                os.chown(path, JAIL_ID, JAIL_ID)
    write(folder / SELF / "cgroup.procs", str(os.getpid()))
    if (home / "cgroup.events").exists() and pids(home):  # only the root group can pass on controllers with processes
        with suppress(FileExistsError):
            make(home / REST)
        move_all(home, home / REST)
    passed_on = " ".join(f"+{name}" for name in controllers)
    for group in (home, folder):
        if passed_on:
            write(group / "cgroup.subtree_control", passed_on)


def _restore(home: Path, folder: Path) -> None:
    try:
        for group in (folder / SELF, home / REST):
            if group.is_dir():
                move_all(group, home)
                rmdir(group)
        if folder.is_dir():
            rmdir(folder)
    except OSError as error:
        log.warning("cannot release control groups: %s", error)


def _start_ticks(pid: int) -> str:
    """Return the start time of a process in the kernel's ticks; together with the pid it identifies the process."""
    return read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()[19]


def _is_alive(pid: int, start: str) -> bool:
    try:
        return _start_ticks(pid) == start
    except (OSError, IndexError):
        return False

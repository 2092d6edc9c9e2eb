"""Control groups, version 2: exact limits on a jail's memory and processes, where this machine grants them.

Built inside a group that was delegated to us, by the rules of the kernel's admin-guide/cgroup-v2:

    home/                         ours by delegation; holds no process itself, or it could pass no controller on
      gangland-rest/              who was in it: a supervisor and its other children
      gangland-PID-START/         one process that plays, handed to the jail's user
        self/                     that process and all that it starts
        box-N/                    one jail

Where root starts us and no service manager divides the tree, `home` is the root of all, and who is in it stays there.

A group of a version 1 hierarchy, or none, takes nothing away: resource limits hold every jail as well, and its page
tables, which those do not count, are read from outside (`memory`).
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
NEEDED: Final = ("memory", "pids")
WITHOUT: Final = "resource limits hold the jails, and page tables are read from outside"
"""What holds where there are no control groups for us."""
BOOT: Final = "for exact ones: boot with systemd.unified_cgroup_hierarchy=1"
MANAGER: Final = Path("/run/systemd/system")
"""Is there where systemd divides the tree."""
REST: Final = "gangland-rest"
SELF: Final = "self"
_OURS: Final = re.compile(r"gangland-([0-9]+)-([0-9]+)")
MARKS: Final = ("user.delegate", "trusted.delegate")
"""Extended attributes that systemd sets to 1 on a group that it has delegated."""
SWAP: Final = "memory.swap.max"
"""Not there where the kernel does not count swap."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What there is on this machine.

    Attributes:
        words: the same for people, with what to do if more can be had.
        home: the group that is delegated to us with all controllers that we need, None if there is none.
    """

    words: str
    home: Path | None = None


def survey(root: Path = ROOT, *, membership: Path = MEMBERSHIP, needed: tuple[str, ...] = NEEDED) -> Survey:
    """Return what control groups there are, without changing anything."""
    if not (root / "cgroup.controllers").exists():
        return Survey(_older(root))
    own = _own_group(root, membership)
    if own is None:
        return Survey(f"v2, but this process's own group is out of sight; {WITHOUT}")
    home = _home(own, root)
    if not _is_delegated(home, root):
        if not _is_nobodys(root):
            return Survey(
                f"v2, not delegated; {WITHOUT} (for exact ones under systemd: `Delegate=memory pids` in the unit; "
                "`gangland up` in a session asks systemd for a scope with it; in a container: a cgroup namespace of "
                "its own, mounted writable)"
            )
        home = root
    missing = sorted(set(needed) - set(read(home / "cgroup.controllers").split()))
    if missing:
        names = " and ".join(missing)
        return Survey(
            f"v2, delegated without {names}; {WITHOUT} (for exact ones: `Delegate=memory pids` in the unit; for a "
            "user's own services, a drop-in of user@.service with the same line)"
        )
    return Survey("v2, delegated: memory and processes of every jail can be counted exactly", home)


class Box:
    """The limits of one jail, and what became of it."""

    def __init__(self, folder: Path, settings: dict[str, str], controllers: tuple[str, ...]) -> None:
        """Make a group and write the limits of these controllers.  Raises SandboxError: the kernel refuses it."""
        self._folder = folder
        self._open = True
        try:
            make(folder)
            for name, value in settings.items():
                if name.split(".")[0] in controllers and (name != SWAP or (folder / SWAP).exists()):
                    write(folder / name, value)
            self._kills = self._oom_kills()
        except OSError as failure:
            remove(folder)
            raise SandboxError(f"no control group for a jail: {failure}") from failure

    def add(self, pid: int) -> None:
        """Put a process in; all that it starts from now on is in as well.

        What it holds already stays charged to where it came from.

        Raises SandboxError: the kernel refuses it, or the process is gone.
        """
        try:
            write(self._folder / "cgroup.procs", str(pid))
        except OSError as failure:
            raise SandboxError(f"process {pid} cannot be put in its control group: {failure}") from failure

    def out_of_memory(self) -> bool:
        """Return whether the kernel has killed a process in here for want of memory."""
        return self._oom_kills() > self._kills

    def close(self) -> None:
        """Kill whatever is left in here and remove the group.  May be called twice.

        Raises SandboxError: something in it cannot be killed.
        """
        if self._open:
            if not remove(self._folder):
                raise SandboxError(f"the control group {self._folder} cannot be emptied")
            self._open = False

    def _oom_kills(self) -> int:
        try:
            told = dict(line.split() for line in read(self._folder / "memory.events").splitlines())
        except FileNotFoundError:  # without the controller
            return 0
        return int(told.get("oom_kill", 0))


class Cgroups:
    """A delegated group in which every jail gets a box of its own."""

    def __init__(self, folder: Path, needed: tuple[str, ...] = NEEDED) -> None:
        """Use a folder that `find` has made, with the controllers that it passes on."""
        self.folder = folder
        self._passed_on = needed
        self._numbers = itertools.count(1)

    @classmethod
    def find(
        cls, root: Path = ROOT, *, membership: Path = MEMBERSHIP, needed: tuple[str, ...] = NEEDED
    ) -> Cgroups | None:
        """Take what is delegated to us; None where nothing is, and `survey` says why.

        This process moves into a group of its own.  Started as root, call it before root is given
        up: what it makes is handed to the jail's user.  What dead processes have left is removed.
        """
        home = survey(root, membership=membership, needed=needed).home
        if home is None:
            return None
        for left in home.glob("gangland-*"):
            if (parts := _OURS.fullmatch(left.name)) and not _lives(int(parts[1]), parts[2]) and not remove(left):
                log.warning("the control group of a dead process cannot be removed: %s", left)
        folder = home / f"gangland-{os.getpid()}-{_start_of(os.getpid())}"
        try:
            _set_up(home, folder, needed)
        except OSError as failure:
            log.warning("control groups are delegated, but cannot be used: %s", failure)
            _give_back(home, folder)
            return None
        return cls(folder, needed)

    def describe(self) -> str:
        """Return where the boxes are, for people."""
        return f"v2, delegated: each jail has a group of its own in {self.folder}"

    def box(self, memory_bytes: int, processes: int) -> Box:
        """Return a new, empty box.  Raises SandboxError: the kernel refuses it."""
        settings = {
            "memory.max": str(memory_bytes),
            "memory.swap.max": "0",
            "memory.oom.group": "0",
            "pids.max": str(processes),
        }
        return Box(self.folder / f"box-{next(self._numbers)}", settings, self._passed_on)


def _older(root: Path) -> str:
    if (root / "unified" / "cgroup.controllers").exists():
        return f"hybrid: v1, and a v2 tree without memory and pids; {WITHOUT} ({BOOT})"
    if (root / "memory").is_dir() or (root / "pids").is_dir():
        return f"v1; {WITHOUT} ({BOOT})"
    return f"none; {WITHOUT}"


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
    while own != root and (own.name in (REST, SELF) or _OURS.fullmatch(own.name)):
        own = own.parent
    return own


def _is_delegated(home: Path, root: Path) -> bool:
    """Return whether a group is ours to divide: marked by systemd, a container's own, or given to this user."""
    if not (home / "cgroup.events").exists():  # the root of all has none, and is nobody's to divide
        return False
    if not all(os.access(home / name, os.W_OK) for name in ("", "cgroup.procs", "cgroup.subtree_control")):
        return False
    if home == root or any(_mark(home, name) for name in MARKS):
        return True
    return not is_root() and home.stat().st_uid == os.geteuid() != home.parent.stat().st_uid


def _is_nobodys(root: Path) -> bool:
    """Return whether this is the root of all, nobody manages it, and we are root: then it is root's to divide."""
    is_top = not (root / "cgroup.events").exists()
    return is_top and is_root() and not MANAGER.exists() and os.access(root / "cgroup.subtree_control", os.W_OK)


def _mark(folder: Path, name: str) -> bool:
    try:
        return os.getxattr(folder, name) == b"1"
    except OSError:  # not marked, or not for this user to see
        return False


def _set_up(home: Path, folder: Path, needed: tuple[str, ...]) -> None:
    """Make this process's groups, empty the one around them, and pass the controllers on."""
    for made in (folder, folder / SELF):
        make(made)
        if is_root():
            for path in (made, *(made / name for name in ("cgroup.procs", "cgroup.subtree_control", "cgroup.threads"))):
                os.chown(path, JAIL_ID, JAIL_ID)
    write(folder / SELF / "cgroup.procs", str(os.getpid()))
    if (home / "cgroup.events").exists() and pids(home):  # the root of all passes controllers on with processes in it
        with suppress(FileExistsError):
            make(home / REST)
        move_all(home, home / REST)
    passed_on = " ".join(f"+{name}" for name in needed)
    for group in (home, folder):
        if passed_on:
            write(group / "cgroup.subtree_control", passed_on)


def _give_back(home: Path, folder: Path) -> None:
    try:
        for group in (folder / SELF, home / REST):
            if group.is_dir():
                move_all(group, home)
                rmdir(group)
        if folder.is_dir():
            rmdir(folder)
    except OSError as failure:
        log.warning("control groups cannot be given back: %s", failure)


def _start_of(pid: int) -> str:
    """Return when a process started, in the kernel's ticks; with its number that names it for good."""
    return read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()[19]


def _lives(pid: int, start: str) -> bool:
    try:
        return _start_of(pid) == start
    except (OSError, IndexError):
        return False

"""The doctor's bot, which probes the jail from inside.  It runs only in a jail, and is sent there like any bot.

Each probe logs `name<TAB>ok or bad<TAB>detail`; the names are keys of `doctor.FIXES`.
"""

import fcntl
import mmap
import os
import resource
import socket
import sys
import threading
import time
from collections.abc import Callable
from functools import partial

from gangland import gang_of_dice

HOST_PATHS = ("/etc/passwd", "/root", "/home", "/var", "/proc", "/sys", "/dev", "/tmp")  # noqa: S108  (unreadable)
FOLDERS = ("", "/usr", "/gangland", "/tmp")  # noqa: S108  (must not be writable)


def check_refused(attempt: Callable[[], object], *errors: type[BaseException]) -> tuple[bool, str]:
    """Return whether an attempt fails with one of these errors, and its error or result as text."""
    try:
        result = attempt()
    except errors as error:
        return True, f"{type(error).__name__}: {error}"
    return False, f"it worked: {result!r}"


def sockets() -> tuple[bool, str]:
    """Try to open sockets of several kinds."""
    kinds = (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK)
    results = [check_refused(partial(socket.socket, kind), PermissionError) for kind in kinds]
    return all(ok for ok, _ in results), results[0][1]


def processes() -> tuple[bool, str]:
    """Try to start another process, and a thread."""
    no_fork, fork_detail = check_refused(lambda: os.fork() or os._exit(0), BlockingIOError)
    no_thread, thread_detail = check_refused(threading.Thread(target=time.time).start, RuntimeError)
    return no_fork and no_thread, f"{fork_detail}; {thread_detail}"


def programs() -> tuple[bool, str]:
    """Try to run code outside the jail's Python: another program, and writable or anonymous memory."""
    writable, runnable = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC, mmap.PROT_READ | mmap.PROT_EXEC
    results = [
        check_refused(lambda: os.execv("/usr/bin/python3", ["python3", "-c", "pass"]), PermissionError),
        check_refused(lambda: mmap.mmap(-1, mmap.PAGESIZE, prot=writable), PermissionError),
        check_refused(lambda: mmap.mmap(-1, mmap.PAGESIZE, prot=runnable), PermissionError),
    ]
    return all(ok for ok, _ in results), "; ".join(detail for _, detail in results)


def host_files() -> tuple[bool, str]:
    """Try to open, list and look up files of the host and of the jail: no call with a path may work."""
    attempts: list[Callable[[], object]] = [partial(os.open, path, os.O_RDONLY) for path in HOST_PATHS]
    attempts += [partial(os.listdir, "/"), partial(os.stat, "/usr"), partial(os.readlink, "/lib")]
    results = [check_refused(attempt, PermissionError) for attempt in attempts]
    return all(ok for ok, _ in results), next((detail for ok, detail in results if not ok), results[0][1])


def writing() -> tuple[bool, str]:
    """Try to create files in several ways."""
    attempts: list[Callable[[], object]] = [partial(os.mkdir, f"{folder}/made") for folder in FOLDERS]
    attempts += [partial(os.open, f"{folder}/made", os.O_CREAT | os.O_WRONLY) for folder in FOLDERS]
    attempts += [partial(os.symlink, "/", "/made"), partial(os.rename, "/usr", "/made"), partial(os.memfd_create, "m")]
    results = [check_refused(attempt, OSError) for attempt in attempts]
    return all(ok for ok, _ in results), next((detail for ok, detail in results if not ok), "nothing can be written")


def memory() -> tuple[bool, str]:
    """Try to allocate more memory than a bot's limit."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return False, "there is no limit"
    return check_refused(lambda: bytearray(limit), MemoryError)


def descriptors() -> tuple[bool, str]:
    """Look for open files other than the pipes, and for a limit on open files."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    opened = [number for number in range(256) if _is_open(number)]
    return len(opened) <= 5 and limit < 1024, f"open: {opened}, limit {limit}"


def _is_open(number: int) -> bool:
    try:
        fcntl.fcntl(number, fcntl.F_GETFD)
    except OSError:
        return False
    return True


def identity() -> tuple[bool, str]:
    """Check the user and the process namespace, and try to become root."""
    ids = (*os.getresuid(), *os.getresgid())
    no_root, detail = check_refused(lambda: os.setuid(0), OSError)
    is_own_namespace = os.getppid() == 1  # a child of the first process in its own namespace
    return no_root and 0 not in ids and is_own_namespace, f"ids {ids}, parent {os.getppid()}, root: {detail}"


def environment() -> tuple[bool, str]:
    """Look for the host's environment variables and host name."""
    known = {"LD_LIBRARY_PATH", "LC_CTYPE", "PWD"}
    foreign = sorted(name for name in os.environ if name not in known and not name.startswith("PYTHON"))
    return not foreign and os.uname().nodename == "jail", f"beyond Python's own: {foreign}, host {os.uname().nodename}"


def hashing() -> tuple[bool, str]:
    """Check that hashes, and therefore the order of sets, are the same in every jail."""
    return sys.flags.hash_randomization == 0, f"hash('gangland') = {hash('gangland')}"


def signals() -> tuple[bool, str]:
    """Try to send a signal."""
    return check_refused(lambda: os.kill(1, 0), PermissionError)


# The last probe ends this process if its attempt succeeds, so the others log first.
PROBES = (
    sockets, processes, host_files, writing, memory, descriptors, identity, environment, hashing, signals, programs,
)  # fmt: skip


class Prober(gang_of_dice.Bot):
    """Runs all probes when a game starts, and uses CPU and makes a forbidden system call when it ends."""

    def choose_dice(self, view: gang_of_dice.View) -> int:
        """Return 1; this is never called."""
        return 1

    def on_game_start(self, start: object) -> None:
        """Log the result of every probe."""
        for probe in PROBES:
            try:
                ok, detail = probe()
            except Exception as error:  # noqa: BLE001  (a probe that breaks proves nothing)
                ok, detail = False, repr(error)
            self.log(f"{probe.__name__}\t{'ok' if ok else 'bad'}\t{detail[:300]}")

    def on_game_end(self, end: object) -> None:
        """Use a known amount of CPU, then make a forbidden system call."""
        deadline_s = time.process_time() + 0.05
        while time.process_time() < deadline_s:
            pass
        os.chroot("/")

"""What the doctor's bot tries in the jail.  Sent there as a bot's file would be; run nowhere else.

Each probe logs `name<TAB>ok or bad<TAB>what was seen`; the names are those of `doctor.MENDS`.
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

HOST_PATHS = ("/etc/passwd", "/root", "/home", "/var", "/proc", "/sys", "/dev", "/tmp")  # noqa: S108  (must not exist)
FOLDERS = ("", "/usr", "/gangland", "/tmp")  # noqa: S108  (must not be written to)


def refused(attempt: Callable[[], object], *errors: type[BaseException]) -> tuple[bool, str]:
    """Return whether an attempt fails as it must."""
    try:
        result = attempt()
    except errors as failure:
        return True, f"{type(failure).__name__}: {failure}"
    return False, f"it worked: {result!r}"


def sockets() -> tuple[bool, str]:
    """Try to open sockets of every sort."""
    kinds = (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK)
    seen = [refused(lambda kind=kind: socket.socket(kind), PermissionError) for kind in kinds]  # type: ignore[misc]
    return all(ok for ok, _ in seen), seen[0][1]


def processes() -> tuple[bool, str]:
    """Try to start another process, and a thread."""
    forked, seen = refused(lambda: os.fork() or os._exit(0), BlockingIOError)
    threaded, also = refused(threading.Thread(target=time.time).start, RuntimeError)
    return forked and threaded, f"{seen}; {also}"


def programs() -> tuple[bool, str]:
    """Try to run what is none of the jail's Python: another program, and memory that one can write to."""
    started, seen = refused(lambda: os.execv("/usr/bin/python3", ["python3", "-c", "pass"]), PermissionError)
    everything = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    mapped, also = refused(lambda: mmap.mmap(-1, mmap.PAGESIZE, prot=everything), PermissionError)
    unwritten = mmap.PROT_READ | mmap.PROT_EXEC
    later, last = refused(lambda: mmap.mmap(-1, mmap.PAGESIZE, prot=unwritten), PermissionError)
    return started and mapped and later, f"{seen}; {also}; {last}"


def host_files() -> tuple[bool, str]:
    """Try to open, to list and to ask for files of the host, and of the jail: no path is looked up at all."""
    attempts: list[Callable[[], object]] = [partial(os.open, path, os.O_RDONLY) for path in HOST_PATHS]
    attempts += [partial(os.listdir, "/"), partial(os.stat, "/usr"), partial(os.readlink, "/lib")]
    seen = [refused(attempt, PermissionError) for attempt in attempts]
    return all(ok for ok, _ in seen), next((what for ok, what in seen if not ok), seen[0][1])


def writing() -> tuple[bool, str]:
    """Try to write, in every way that makes a file."""
    attempts: list[Callable[[], object]] = [partial(os.mkdir, f"{folder}/made") for folder in FOLDERS]
    attempts += [partial(os.open, f"{folder}/made", os.O_CREAT | os.O_WRONLY) for folder in FOLDERS]
    attempts += [partial(os.symlink, "/", "/made"), partial(os.rename, "/usr", "/made"), partial(os.memfd_create, "m")]
    seen = [refused(attempt, OSError) for attempt in attempts]
    return all(ok for ok, _ in seen), next((what for ok, what in seen if not ok), "nothing can be written")


def memory() -> tuple[bool, str]:
    """Try to take more memory than there is for a bot."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return False, "there is no limit"
    return refused(lambda: bytearray(limit), MemoryError)


def descriptors() -> tuple[bool, str]:
    """Look for files that are open besides the pipes, and for a limit on them."""
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
    """Look at who one is and whether other processes are there, and try to be somebody else."""
    ids = (*os.getresuid(), *os.getresgid())
    became, seen = refused(lambda: os.setuid(0), OSError)
    alone = os.getppid() == 1  # a child of the first process in a namespace of its own
    return became and 0 not in ids and alone, f"ids {ids}, parent {os.getppid()}, root: {seen}"


def environment() -> tuple[bool, str]:
    """Look for settings of the host."""
    known = {"LD_LIBRARY_PATH", "LC_CTYPE", "PWD"}
    beyond = sorted(name for name in os.environ if name not in known and not name.startswith("PYTHON"))
    return not beyond and os.uname().nodename == "jail", f"beyond Python's own: {beyond}, host {os.uname().nodename}"


def hashing() -> tuple[bool, str]:
    """Look whether sets come in the same order in every jail."""
    return sys.flags.hash_randomization == 0, f"hash('gangland') = {hash('gangland')}"


def signals() -> tuple[bool, str]:
    """Try to send a signal."""
    return refused(lambda: os.kill(1, 0), PermissionError)


# The last ends this very process if it succeeds, so that the others are heard before.
PROBES = (
    sockets, processes, host_files, writing, memory, descriptors, identity, environment, hashing, signals, programs,
)  # fmt: skip


class Prober(gang_of_dice.Bot):
    """Tries everything when a game starts; then, by the seat that it was given, burns time or asks to be killed."""

    def choose_dice(self, view: gang_of_dice.View) -> int:
        """Never asked."""
        return 1

    def on_game_start(self, start: object) -> None:
        """Log what every probe saw."""
        for probe in PROBES:
            try:
                ok, seen = probe()
            except Exception as failure:  # noqa: BLE001  (a probe that breaks proves nothing)
                ok, seen = False, repr(failure)
            self.log(f"{probe.__name__}\t{'ok' if ok else 'bad'}\t{seen[:300]}")

    def on_game_end(self, end: object) -> None:
        """Use a known amount of CPU, then make a call that the filter kills for."""
        until = time.process_time() + 0.05
        while time.process_time() < until:
            pass
        os.chroot("/")

"""End half-opened jails whose referee was killed.

A jail dies with its referee.  But bubblewrap has two processes.  If the outer one is killed in the few milliseconds
before the inner one is set up, the inner one waits for it forever: an empty jail without a bot and without a parent to
reap it.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from gangland_sandbox.runtime import Runtime

INIT_PID: Final = 1


def sweep(runtime: Runtime) -> int:
    """End half-opened jails without a referee, and return their number.

    These are bubblewrap processes of this user that were started for this runtime and have lost their parent.
    """
    orphans = list(_orphans(runtime)) if os.getpid() != INIT_PID else []
    return sum(_kill(pid) for pid in orphans)


def _orphans(runtime: Runtime) -> Iterator[int]:
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with suppress(OSError, IndexError, ValueError):
                pid = int(entry.name)
                if entry.stat().st_uid == os.getuid() and _parent(pid) == INIT_PID and _is_jail(pid, runtime):
                    yield pid


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _is_jail(pid: int, runtime: Runtime) -> bool:
    arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return os.path.basename(arguments[0]) == b"bwrap" and str(runtime.python).encode() in arguments


def _kill(pid: int) -> bool:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return False
    try:
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    except ProcessLookupError:
        return False
    finally:
        os.close(handle)
    return True

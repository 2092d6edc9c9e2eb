"""Run matches at a low priority, so that they use only CPU time that other processes leave unused.

If the kernel divides busy cores among sessions (autogroups, see sched(7)), a process's niceness counts only within
its session, and every jail has its own session.  So the session gets the same niceness.
"""

import os
from pathlib import Path

MAX_NICE = 19
"""The highest niceness: on a busy core, less than a fiftieth of an ordinary process's time."""


def lower_priority(niceness: int) -> None:
    """Lower the priority of this process, its session and their later children, by 0 to 19."""
    if niceness:
        set_session_niceness(os.getpid(), os.nice(niceness))


def set_session_niceness(pid: int, niceness: int | None = None) -> bool:
    """Give a process's session this niceness (default: this process's own); return whether the session has it.

    If not, try later: the kernel allows only one such change every tenth of a second.  A kernel without autogroups uses
    the niceness of processes, so there is nothing to do.
    """
    niceness = os.getpriority(os.PRIO_PROCESS, 0) if niceness is None else niceness
    if niceness <= 0:
        return True
    try:
        # Bytes, because text would make Python load a codec after root privileges were dropped.
        Path(f"/proc/{pid}/autogroup").write_bytes(b"%d" % niceness)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True

"""Standing back: what plays matches takes the time of a core that nobody else on the machine wants.

A process' niceness says so among the processes of one session alone where the kernel shares busy cores among sessions
(autogroups, see sched(7)), and every jail is a session of its own.  So the session is told, too.
"""

import os
from pathlib import Path

MOST = 19
"""The highest niceness: a fiftieth of the time that anybody else gets of a busy core."""


def stand_back(niceness: int) -> None:
    """Have this process and its session, and what they start, stand back for others so far.

    Args:
        niceness: 0 to 19, added to what this process has.
    """
    if niceness:
        follow(os.getpid(), os.nice(niceness))


def follow(pid: int, niceness: int | None = None) -> bool:
    """Have the session of a process stand back, as far as this process does if not said otherwise.

    Returns:
        whether there is nothing left to do: the kernel changes one session in a tenth of a second, and has the next ask
        again.  A kernel that knows of no sessions' shares goes by the processes' own.
    """
    niceness = os.getpriority(os.PRIO_PROCESS, 0) if niceness is None else niceness
    if niceness <= 0:
        return True
    try:
        # Not as text: for that Python would have to read a codec, after root was given up.
        Path(f"/proc/{pid}/autogroup").write_bytes(b"%d" % niceness)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True

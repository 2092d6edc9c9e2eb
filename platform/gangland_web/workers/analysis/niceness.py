"""Standing back for everything else on the machine."""

import os
import time
from contextlib import suppress

from gangland_sandbox.niceness import MOST, follow

TRIES, PAUSE_S = 20, 0.15
"""The kernel changes one session in a tenth of a second."""


def stand_back_behind_all() -> None:
    """Have this process run where nobody else wants the core.

    SCHED_IDLE comes after every niceness.  Where the kernel shares cores among sessions, both hold within this session
    alone, so the session is told too; for that it has to be one of its own.
    """
    if os.getpid() != os.getsid(0):
        with suppress(PermissionError):  # it leads a group of its own already
            os.setsid()
    os.setpriority(os.PRIO_PROCESS, 0, MOST)
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    for _ in range(TRIES):
        if follow(os.getpid(), MOST):
            return
        time.sleep(PAUSE_S)

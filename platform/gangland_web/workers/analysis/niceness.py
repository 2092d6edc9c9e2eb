"""Standing back for everything else on the machine."""

import os
import time
from contextlib import suppress

from gangland_sandbox.niceness import MOST, follow

TRIES, PAUSE_S = 20, 0.15
"""The kernel changes one session in a tenth of a second."""


def stand_back() -> None:
    """Give this process the highest niceness.

    Where the kernel shares cores among sessions, that holds within this session alone, so the session is told too; for
    that it has to be one of its own.  What a service manager did already is left, for it may have taken the right to do
    it.
    """
    if os.getpid() != os.getsid(0):
        with suppress(PermissionError):  # it leads a group of its own already
            os.setsid()
    if os.getpriority(os.PRIO_PROCESS, 0) < MOST:
        os.setpriority(os.PRIO_PROCESS, 0, MOST)
    for _ in range(TRIES):
        if follow(os.getpid(), MOST):
            return
        time.sleep(PAUSE_S)


def run_idle() -> None:
    """Have this thread run where nobody else wants the core: SCHED_IDLE comes after every niceness.

    A thread may not leave it again, so what is to run at the highest niceness alone needs another one.
    """
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

"""How far this process stands back for others on the machine."""

import os
import time
from contextlib import suppress

from gangland_sandbox.niceness import follow

TRIES, PAUSE_S = 20, 0.15
"""The kernel changes one session in a tenth of a second."""


def tell_session() -> None:
    """Give this process' session the niceness that the process was started with.

    Where the kernel shares cores among sessions, niceness holds within this session alone; for the session to be told,
    it has to be one of its own.
    """
    if os.getpid() != os.getsid(0):
        with suppress(PermissionError):  # it leads a group of its own already
            os.setsid()
    for _ in range(TRIES):
        if follow(os.getpid()):
            return
        time.sleep(PAUSE_S)


def run_idle() -> None:
    """Have this process run where nobody else wants the core: SCHED_IDLE comes after every niceness, for good."""
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

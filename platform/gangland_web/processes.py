"""What every child of the supervisor does about its parent: it does not outlive it."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PARENT = "GANGLAND_PARENT"
"""Holds the supervisor's pid in the environment of its children."""

_PR_SET_PDEATHSIG = 1


def die_with_parent(death_signal: signal.Signals = signal.SIGKILL) -> None:
    """Have the kernel end this process when its parent ends, if the supervisor is its parent.

    Call it again after changing user: the kernel forgets it then.  Does nothing outside of Linux
    and for processes that were started by something else.
    """
    parent = os.environ.get(PARENT, "")
    if not parent.isdigit() or not sys.platform.startswith("linux"):
        return
    _ask_kernel(death_signal)
    if os.getppid() != int(parent):
        os._exit(1)


def before_exec(death_signal: signal.Signals) -> Callable[[], None]:
    """Return what a child does between fork and exec so that it ends with its parent."""
    parent = os.getpid()

    def prepare() -> None:
        _ask_kernel(death_signal)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def _ask_kernel(death_signal: signal.Signals) -> None:
    if _LIBC is not None and _LIBC.prctl(_PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the kernel refuses to tie this process to its parent")


_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None

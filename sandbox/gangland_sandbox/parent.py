"""Let the kernel end a process when its parent ends."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with(parent: int, death_signal: signal.Signals = signal.SIGKILL) -> None:
    """Ask the kernel to end this process when its parent ends; end at once if the parent has already ended.

    A change of user resets this, so call it after the change.  Does nothing outside Linux.  Raises OSError.
    """
    if _LIBC is None:
        return
    if _LIBC.prctl(_PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the kernel refuses to tie this process to its parent")
    if os.getppid() != parent:
        os._exit(1)


_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None

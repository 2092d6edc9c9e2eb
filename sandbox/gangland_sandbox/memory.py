"""A bot's memory, read from outside: what it holds and the page tables for it, which no resource limit counts.

A page that is kept for every few MiB of addresses takes a page table of its own, and a bot can so hold three times
what RLIMIT_AS grants.  Making one takes CPU, so whoever has used some since the last look is looked at again.
"""

import os
import time
from typing import Final

from gangland_sandbox.clock import cpu_clock
from gangland_sandbox.limits import Limits

LOOK_AFTER_S: Final = 0.01
"""CPU after which a process is looked at again; what it can take meanwhile is the slack of this limit."""
TABLES_SHARE: Final = 64
"""Page tables of one in so many bytes are what plain work may need: of full pages it is one in 512."""
STATUS_BYTES: Final = 4096
_COUNTED: Final = (b"\nVmRSS:", b"\nVmSwap:", b"\nVmPTE:")


def counted_limit(limits: Limits) -> int:
    """Return the most that a bot may hold with its page tables, in bytes."""
    return limits.memory_bytes + limits.memory_bytes // TABLES_SHARE


def held_bytes(pid: int) -> int:
    """Return what a process holds of memory and swap, and its page tables; 0 if it is gone."""
    try:
        descriptor = os.open(f"/proc/{pid}/status", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return 0
    try:
        told = os.read(descriptor, STATUS_BYTES)
    except OSError:
        return 0
    finally:
        os.close(descriptor)
    return sum(_kib(told, name) for name in _COUNTED) * 1024


def _kib(told: bytes, name: bytes) -> int:
    at = told.find(name)
    return int(told[at + len(name) :].split(None, 1)[0]) if at >= 0 else 0


class Watch:
    """Looks at one process whenever it has used CPU."""

    __slots__ = ("_clock", "_limit", "_next_s", "pid")

    def __init__(self, pid: int, limits: Limits) -> None:
        self.pid = pid
        self._clock = cpu_clock(pid)
        self._limit = counted_limit(limits)
        self._next_s = 0.0

    def exceeded(self) -> bool:
        """Return whether the process holds more than it may; it is looked at if it has used CPU since the last look."""
        try:
            cpu_s = time.clock_gettime(self._clock)
        except OSError:  # it is gone
            return False
        if cpu_s < self._next_s:
            return False
        self._next_s = cpu_s + LOOK_AFTER_S
        return held_bytes(self.pid) > self._limit

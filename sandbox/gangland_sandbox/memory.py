"""Measure a bot's memory from the outside, including page tables, which no resource limit covers.

A page far from all others needs page tables of its own, so a bot that maps scattered pages could use three times its
RLIMIT_AS.  Creating page tables takes CPU, so a process is measured only after it has used some.
"""

import os
import time
from typing import Final

from gangland_sandbox.clock import cpu_clock
from gangland_sandbox.limits import Limits

CHECK_INTERVAL_S: Final = 0.01
"""CPU seconds between two measurements; in the meantime, a process can exceed its limit."""
PAGE_TABLE_SHARE: Final = 64
"""Page tables may use an extra 1/64 of the limit; densely used memory needs only 1/512."""
STATUS_BYTES: Final = 4096
_COUNTED_FIELDS: Final = (b"\nVmRSS:", b"\nVmSwap:", b"\nVmPTE:")


def counted_limit(limits: Limits) -> int:
    """Return the limit for a bot's memory including its page tables, in bytes."""
    return limits.memory_bytes + limits.memory_bytes // PAGE_TABLE_SHARE


def resident_bytes(pid: int) -> int:
    """Return a process's memory, swap and page tables, in bytes; 0 if it is gone."""
    try:
        descriptor = os.open(f"/proc/{pid}/status", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return 0
    try:
        status = os.read(descriptor, STATUS_BYTES)
    except OSError:
        return 0
    finally:
        os.close(descriptor)
    return sum(_kib(status, name) for name in _COUNTED_FIELDS) * 1024


def _kib(status: bytes, name: bytes) -> int:
    at = status.find(name)
    return int(status[at + len(name) :].split(None, 1)[0]) if at >= 0 else 0


class Watch:
    """Measures a process's memory, at most once per `CHECK_INTERVAL_S` of its CPU time."""

    __slots__ = ("_clock", "_limit", "_next_s", "pid")

    def __init__(self, pid: int, limits: Limits) -> None:
        self.pid = pid
        self._clock = cpu_clock(pid)
        self._limit = counted_limit(limits)
        self._next_s = 0.0

    def is_exceeded(self) -> bool:
        """Return whether the process exceeds its limit; False if it is too early to measure again."""
        try:
            cpu_s = time.clock_gettime(self._clock)
        except OSError:  # the process is gone
            return False
        if cpu_s < self._next_s:
            return False
        self._next_s = cpu_s + CHECK_INTERVAL_S
        return resident_bytes(self.pid) > self._limit

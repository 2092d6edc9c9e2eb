"""Measure a bot's memory from outside, with its page tables, which no resource limit counts.

A single page in each few MiB of addresses needs a page table of its own, so a bot could use three times its RLIMIT_AS.
Creating page tables takes CPU, so a process is measured only after it has used some.
"""

import os
import time
from typing import Final

from gangland_sandbox.clock import cpu_clock
from gangland_sandbox.limits import Limits

LOOK_AFTER_S: Final = 0.01
"""CPU seconds between two measurements; a process can exceed its limit by the memory that it takes meanwhile."""
TABLES_SHARE: Final = 64
"""Page tables may take 1 byte in addition to each 64 bytes of the limit; full pages need 1 byte for each 512."""
STATUS_BYTES: Final = 4096
_COUNTED: Final = (b"\nVmRSS:", b"\nVmSwap:", b"\nVmPTE:")


def counted_limit(limits: Limits) -> int:
    """Return the limit of a bot's memory with its page tables, in bytes."""
    return limits.memory_bytes + limits.memory_bytes // TABLES_SHARE


def held_bytes(pid: int) -> int:
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
    return sum(_kib(status, name) for name in _COUNTED) * 1024


def _kib(status: bytes, name: bytes) -> int:
    at = status.find(name)
    return int(status[at + len(name) :].split(None, 1)[0]) if at >= 0 else 0


class Watch:
    """Measures one process's memory when it has used CPU."""

    __slots__ = ("_clock", "_limit", "_next_s", "pid")

    def __init__(self, pid: int, limits: Limits) -> None:
        self.pid = pid
        self._clock = cpu_clock(pid)
        self._limit = counted_limit(limits)
        self._next_s = 0.0

    def exceeded(self) -> bool:
        """Return whether the process exceeds its limit; it is measured only if it has used CPU since the last time."""
        try:
            cpu_s = time.clock_gettime(self._clock)
        except OSError:  # the process is gone
            return False
        if cpu_s < self._next_s:
            return False
        self._next_s = cpu_s + LOOK_AFTER_S
        return held_bytes(self.pid) > self._limit

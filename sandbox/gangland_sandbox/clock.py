"""A bot's time, read from outside: CPU by the process's own clock, wall less the wait for a core."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gangland.faults import FaultKind
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.limits import Limits

NS: Final = 1_000_000_000
STARVED_S: Final = 60.0
"""A wait for a core longer than this in one request says that the machine, not the bot, is at fault."""


@dataclass(slots=True)
class Banks:
    """What is left to one bot in one rotation; its restarts after a fault draw on the same."""

    cpu_left_s: float
    wall_left_s: float
    log_left_bytes: int = 256 * 1024

    @classmethod
    def full(cls, limits: Limits) -> Banks:
        """Return untouched banks."""
        return cls(limits.bank_cpu_s, limits.bank_wall_s, limits.log_match_bytes)


def cpu_clock(pid: int) -> int:
    """Return the clock id of another process's CPU time (all its threads)."""
    return (~pid << 3) | 2


def run_delay_s(pid: int) -> float:
    """Return how long a process has stood runnable and waited for a core; 0 where nobody counts it."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_bytes().split()[1]) / NS
    except (OSError, IndexError, ValueError):
        return 0.0


def is_asleep(pid: int) -> bool:
    """Return whether a process neither runs nor waits for a core."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state != b"R"


def peak_bytes(pid: int) -> int:
    """Return the largest address space that a living process has had, 0 if it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_bytes().splitlines():
            if line.startswith(b"VmPeak:"):
                return int(line.split()[1]) * 1024
    except (OSError, IndexError, ValueError):
        return 0
    return 0


class Meter:
    """Charges one process's time to its banks.

    Every reading of the CPU clock charges all since the reading before, so a bot that goes on
    thinking after its answer pays for that too.
    """

    __slots__ = (
        "_began",
        "_clock",
        "_cpu",
        "_delay",
        "_delay_from",
        "banks",
        "cpu_s",
        "limits",
        "pid",
        "used_s",
        "wall_s",
    )

    def __init__(self, pid: int, limits: Limits, banks: Banks) -> None:
        self.pid = pid
        self.limits = limits
        self.banks = banks
        self._clock = cpu_clock(pid)
        self._cpu = self.read_cpu()
        self._began = 0.0
        self._delay = 0.0
        self._delay_from: float | None = None
        self.used_s = 0.0
        self.cpu_s = 0.0
        self.wall_s = 0.0

    def read_cpu(self) -> float:
        """Return the process's CPU seconds so far; the last reading again once it is gone."""
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return getattr(self, "_cpu", 0.0)

    def rebase(self) -> None:
        """Forget what was used until now: it is on the house (starting up, importing)."""
        self._cpu = self.read_cpu()

    def view_clock(self) -> tuple[float, float, float]:
        """Return what a bot is told of its time: decision, CPU bank, wall bank."""
        return self.limits.decision_cpu_s, self.banks.cpu_left_s, self.banks.wall_left_s

    def begin(self) -> None:
        """A request goes out: the wall clock runs from here."""
        self._began = time.monotonic()
        self._delay = 0.0
        self._delay_from = None
        self.used_s = 0.0

    def slow(self) -> None:
        """The answer lets wait: from here the wait for a core is counted apart."""
        if self._delay_from is None:
            self._delay_from = run_delay_s(self.pid)

    def finish(self, cap_s: float) -> FaultKind | None:
        """The answer is here: charge it, and say which limit was passed, if any."""
        fault = self._charge_cpu(cap_s)
        wall = self.waited_s()
        self.banks.wall_left_s -= wall
        self.wall_s += wall
        if fault is None and self.banks.wall_left_s < 0:
            return FaultKind.WALL_TIME
        return fault

    def overdue(self, cap_s: float) -> FaultKind | None:
        """No answer yet: say which limit has been passed by now, if any.

        Raises:
            SandboxError: the machine has kept the process waiting for a core without end.
        """
        fault = self._charge_cpu(cap_s)
        excess_s = self.waited_s() - self.banks.wall_left_s
        if fault is None and excess_s > 0 and is_asleep(self.pid):
            return FaultKind.WALL_TIME
        starved_s = max(self._delay, excess_s)
        if fault is None and starved_s > STARVED_S:
            raise SandboxError(f"the machine kept a bot waiting {starved_s:.0f} s for a core")
        return fault

    def waited_s(self) -> float:
        """Return the wall seconds since the request, those spent waiting for a core left out."""
        gross = time.monotonic() - self._began
        if self._delay_from is not None:
            self._delay = max(self._delay, run_delay_s(self.pid) - self._delay_from)
        return max(gross - self._delay, min(gross, self.used_s))

    def next_look_s(self, cap_s: float) -> float:
        """Return how long one may wait before a limit can have been passed."""
        cpu_left = min(cap_s - self.used_s, self.banks.cpu_left_s)
        wall_left = self.banks.wall_left_s - self.waited_s()
        return min(max(min(cpu_left, wall_left), 0.002) + 0.001, 0.5)

    def _charge_cpu(self, cap_s: float) -> FaultKind | None:
        now = self.read_cpu()
        spent, self._cpu = now - self._cpu, now
        self.used_s += spent
        self.cpu_s += spent
        self.banks.cpu_left_s -= spent
        if self.used_s > cap_s:
            return FaultKind.DECISION_TIME
        if self.banks.cpu_left_s < 0:
            return FaultKind.BANK_TIME
        return None

    def settle(self, total_cpu_s: float) -> None:
        """The process is gone: charge what it used after the last reading."""
        rest = max(0.0, total_cpu_s - self._cpu)
        self.cpu_s += rest
        self.banks.cpu_left_s -= rest


def can_read_cpu(pid: int = os.getpid()) -> bool:
    """Return whether this machine lets one process read another's CPU clock."""
    try:
        time.clock_gettime(cpu_clock(pid))
    except OSError:
        return False
    return True

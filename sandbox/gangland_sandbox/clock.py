"""Measure a bot's time from outside: CPU with the process's own clock, and wall time minus waits for a core."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gangland.faults import FaultKind
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.limits import Limits

NS: Final = 1_000_000_000
FORGIVEN_RATIO: Final = 100.0
FORGIVEN_S: Final = 2.0
"""Short waits for a core are not charged, up to `FORGIVEN_RATIO` times the request's CPU plus `FORGIVEN_S`.
Even a bot that never yields its core has to wait while other processes use their share of it: with a dozen busy
processes on two cores and a niceness 10 above theirs, it waits about 60 times its own CPU time."""
OWN_SWITCHES: Final = 32
"""The number of voluntary context switches that each request may make: to read the question, and to wait for pages."""
THIS_THREAD: Final = "thread-self"
LONG_WAIT_S: Final = 0.2
"""An observed wait of at least this long, without any activity of the process, is not limited by `FORGIVEN_RATIO`."""
STARVED_S: Final = 60.0
"""If one request waits longer than this for a core, the machine has failed, not the bot."""


@dataclass(slots=True)
class Banks:
    """The resources that one bot has left in one rotation; restarts after a fault use the same banks."""

    cpu_left_s: float
    wall_left_s: float
    core_wait_left_s: float
    log_left_bytes: int

    @classmethod
    def full(cls, limits: Limits) -> Banks:
        """Return full banks."""
        return cls(limits.bank_cpu_s, limits.bank_wall_s, limits.core_wait_s, limits.log_match_bytes)

    @classmethod
    def of_loading(cls, limits: Limits) -> Banks:
        """Return the banks for loading a bot."""
        return cls(limits.import_cpu_s, limits.import_wall_s, limits.import_core_wait_s, limits.log_match_bytes)


def cpu_clock(pid: int) -> int:
    """Return the clock id of another process's CPU time (all its threads)."""
    return (~pid << 3) | 2


def run_delay_s(pid: int | str) -> float:
    """Return the seconds that a runnable process has waited for a core; 0 if the kernel does not count them."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_bytes().split()[1]) / NS
    except (OSError, IndexError, ValueError):
        return 0.0


def switches(pid: int) -> tuple[int, int]:
    """Return a process's numbers of voluntary and involuntary context switches."""
    counts = {b"voluntary_ctxt_switches": 0, b"nonvoluntary_ctxt_switches": 0}
    try:
        lines = Path(f"/proc/{pid}/status").read_bytes().splitlines()
        counts |= {name: int(value) for name, _, value in (line.partition(b":") for line in lines) if name in counts}
    except (OSError, ValueError):
        return 0, 0
    own, forced = counts.values()
    return own, forced


def is_asleep(pid: int) -> bool:
    """Return whether a process is neither running nor runnable."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state != b"R"


def peak_bytes(pid: int) -> int:
    """Return the peak address space of a live process in bytes, or 0 if it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_bytes().splitlines():
            if line.startswith(b"VmPeak:"):
                return int(line.split()[1]) * 1024
    except (OSError, IndexError, ValueError):
        return 0
    return 0


class Meter:
    """Charges one process's time to its banks.

    Each charge includes all CPU since the previous charge, so a bot also pays for CPU that it uses after its answer.
    """

    __slots__ = (
        *("_anchor", "_in_request", "_clock", "_cpu", "_delay", "_delay_from", "_late_from", "_late_s", "_pending"),
        *("_observed_s", "_switches", "_switches_from", "banks", "began", "cpu_s", "is_slow", "limits", "pid"),
        *("used_s", "wall_s"),
    )

    def __init__(self, pid: int, limits: Limits, banks: Banks) -> None:
        self.pid = pid
        self.limits = limits
        self.banks = banks
        self._clock = cpu_clock(pid)
        self._cpu = self.read_cpu()
        self.began = 0.0
        self._delay = 0.0
        self._delay_from = 0.0
        self.is_slow = self._in_request = False
        self._late_from = self._late_s = 0.0
        self._anchor = 0.0
        self._pending = 0.0
        self._observed_s = 0.0
        self._switches = self._switches_from = (0, 0)
        self.used_s = 0.0
        self.cpu_s = 0.0
        self.wall_s = 0.0

    def read_cpu(self) -> float:
        """Return the process's CPU seconds, or the last reading (initially 0) if it is gone."""
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return getattr(self, "_cpu", 0.0)

    def view_clock(self) -> tuple[float, float, float]:
        """Return the times shown to the bot, in seconds: decision, CPU bank, wall bank."""
        return float(self.limits.decision_cpu_s), float(self.banks.cpu_left_s), float(self.banks.wall_left_s)

    def begin(self) -> None:
        """Start the wall clock of a new request."""
        self.began = self._anchor = time.monotonic()
        self._delay = self._pending = self._observed_s = self._late_s = 0.0
        self.is_slow = False
        self._switches = self._switches_from
        self._in_request = True
        self.used_s = 0.0

    def give_back(self, seconds: float) -> None:
        """Subtract the caller's own wall time from the request, such as a slow call to a broker."""
        self.began += seconds
        self._anchor += seconds

    def add_lateness(self, seconds: float) -> None:
        """Add the referee's own delay in seconds, which is not charged until the bank of waits is used up."""
        self._late_s += seconds

    def start_counting_waits(self) -> None:
        """Start counting waits for a core, because the answer is slow."""
        if not self.is_slow:
            self.is_slow = True
            self._delay_from, self._late_from = run_delay_s(self.pid), run_delay_s(THIS_THREAD)
            self._switches = self._switches_from = switches(self.pid)

    def finish(self, cap_s: float, at: float) -> FaultKind | None:
        """Charge a request whose answer arrived at this time, and return the exceeded limit, if any."""
        fault = self._charge_cpu(cap_s)
        self._pending = 0.0  # the process has run since then, so its last wait is counted
        self.charge_wall(at)
        if fault is None and self.banks.wall_left_s < 0:
            return FaultKind.WALL_TIME
        return fault

    def charge_wall(self, at: float) -> None:
        """Charge, once, the wall time of a request that ended at this time with an answer or a fault."""
        if self._in_request:
            self._in_request = False
            gross = at - self.began
            wall = self._charged_s(gross)
            self.banks.core_wait_left_s -= gross - wall
            self.banks.wall_left_s -= wall
            self.wall_s += wall

    def exceeded_limit(self, cap_s: float, at: float) -> FaultKind | None:
        """Return the limit that a request without an answer has exceeded, if any.

        Raises SandboxError: the machine has kept the process waiting for a core too long.
        """
        used_s, delay_s = self.used_s, self._delay
        fault = self._charge_cpu(cap_s)
        self._count_delay()
        self._measure_current_wait(moved=self.used_s > used_s or self._delay > delay_s)
        if fault is None and self._charged_s(at - self.began) > self.banks.wall_left_s:
            return FaultKind.WALL_TIME
        if fault is None and self._lost_s() > STARVED_S:
            raise SandboxError(f"the machine kept a bot waiting {self._lost_s():.0f} s for a core")
        return fault

    def _measure_current_wait(self, *, moved: bool) -> None:
        """Measure the current wait for a core, which the kernel counts only after its end.

        A process waits now if it is runnable, was not asleep at the last check, and has neither run nor begun another
        wait since then.
        """
        now = time.monotonic()
        if moved or is_asleep(self.pid):
            if self._pending >= LONG_WAIT_S:
                self._observed_s += self._pending
            self._anchor = now
        self._pending = now - self._anchor

    def _count_delay(self) -> None:
        if self.is_slow:
            self._delay = max(self._delay, run_delay_s(self.pid) - self._delay_from)
            self._switches = max(self._switches, switches(self.pid))

    def _forgiven_s(self) -> float:
        """Return the seconds that are not charged: the bot's and the referee's waits for a core, up to the bank."""
        late_s = 0.0 if not self.is_slow else max(0.0, run_delay_s(THIS_THREAD) - self._late_from)
        return max(0.0, min(self._lost_s() + self._late_s + late_s, self.banks.core_wait_left_s))

    def _lost_s(self) -> float:
        """Return the seconds that the bot waited for a core that other processes used.

        Long waits mean that the machine is under load.  A working bot's short waits are proportional to its work and
        follow involuntary switches.  A bot that gives up its core voluntarily causes its own wait, so only the share
        of involuntary switches counts.
        """
        short_s = min(max(0.0, self._delay - self._observed_s), FORGIVEN_RATIO * self.used_s + FORGIVEN_S)
        own, forced = (now - before for now, before in zip(self._switches, self._switches_from, strict=True))
        share = 1.0 if own <= OWN_SWITCHES else (forced + OWN_SWITCHES) / (forced + own)
        return short_s * share + self._observed_s + self._pending

    def current_wall_s(self) -> float:
        """Return the wall seconds since the request, minus waits for a core."""
        return self._charged_s(time.monotonic() - self.began)

    def _charged_s(self, gross: float) -> float:
        """Return the charged part of the seconds since the request; for a quick answer, all of them."""
        if not (self.is_slow or self._observed_s or self._pending or self._late_s):
            return gross
        self._count_delay()
        return max(gross - self._forgiven_s(), min(gross, self.used_s))

    def next_check_s(self, cap_s: float) -> float:
        """Return the seconds until the next check: when a limit could be exceeded, but at most 0.5."""
        cpu_left = min(cap_s - self.used_s, self.banks.cpu_left_s)
        wall_left = self.banks.wall_left_s - self.current_wall_s()
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
        """Charge the CPU time that a process, now gone, used after the last reading."""
        rest = max(0.0, total_cpu_s - self._cpu)
        self.cpu_s += rest
        self.banks.cpu_left_s -= rest

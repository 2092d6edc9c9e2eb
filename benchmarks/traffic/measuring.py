"""Stretches of time: matches that were recorded in them, and who had the CPU."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.platform_rate.cpu import TICKS_A_SECOND, WEB, by_role
from benchmarks.traffic.site import Visited

GENERATOR: Final = "generator"
OTHERS: Final = "neighbours"
CORES: Final = os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Moment:
    """What was counted up to a moment."""

    at: float
    cpu_s: Mapping[str, float]
    busy_s: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """A while, or several together.

    Attributes:
        cpu_s: CPU seconds by what they were for; those of other people's processes on the machine are `neighbours`.
        load: the machine's load average at the end.
    """

    seconds: float
    matches: int
    cpu_s: Mapping[str, float] = field(default_factory=dict)
    load: float = 0.0

    @property
    def a_second(self) -> float:
        """Matches a second."""
        return self.matches / self.seconds

    @property
    def left_s(self) -> float:
        """The CPU seconds that web, generator and neighbours left over."""
        taken = sum(self.cpu_s.get(role, 0.0) for role in (WEB, GENERATOR, OTHERS))
        return max(1e-9, CORES * self.seconds - taken)

    def share(self, *roles: str) -> float:
        """Return what share of all cores these had."""
        return sum(self.cpu_s.get(role, 0.0) for role in roles) / (CORES * self.seconds)


def now(site: Visited) -> Moment:
    """Count up to now."""
    spent = by_role(site.up.pid)
    own = os.times()
    spent[GENERATOR] = own.user + own.system
    return Moment(time.time(), spent, _busy_s())


def between(site: Visited, first: Moment, last: Moment) -> Stretch:
    """Return what was there between two moments."""
    spent = {role: seconds - first.cpu_s.get(role, 0.0) for role, seconds in last.cpu_s.items()}
    spent[OTHERS] = max(0.0, last.busy_s - first.busy_s - sum(spent.values()))
    return Stretch(last.at - first.at, site.done(first.at, last.at), spent, os.getloadavg()[0])


def together(*stretches: Stretch) -> Stretch:
    """Return several stretches as one."""
    roles = {role for one in stretches for role in one.cpu_s}
    spent = {role: sum(one.cpu_s.get(role, 0.0) for one in stretches) for role in roles}
    seconds = sum(one.seconds for one in stretches)
    return Stretch(seconds, sum(one.matches for one in stretches), spent, max(one.load for one in stretches))


def _busy_s() -> float:
    """Return the CPU seconds that all processes of the machine have had, or were kept from by its host."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    user, nice, system, _idle, _waiting, hard, soft, stolen = (int(ticks) for ticks in fields[:8])
    return (user + nice + system + hard + soft + stolen) / TICKS_A_SECOND

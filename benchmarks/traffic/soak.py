"""Sample memory, descriptors and threads of every process during a long run, and measure their growth."""

import os
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.harness import Row, Section, Table, machine
from benchmarks.processes import JAILS, SUPERVISOR, WEB, WORKER, Process, below, processes, role_of
from benchmarks.traffic.client import LINES, Line

SAMPLE_EVERY_S: Final = 10.0
WARM_UP: Final = 0.25
"""The first share of a run, which fills caches and does not count for growth."""
RUSH: Final = 10
"""The factor of the number of readers during a rush."""
MAX_KIB: Final = 6 * 1024
MAX_SHARE: Final = 0.06
"""The maximum growth of a process, absolute or as a share, over the rest of a run, by the steady slope."""
MAX_DESCRIPTORS: Final = 4.0
MAX_THREADS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Held:
    """The resources of a process: its share of memory (PSS), descriptors, threads.

    Attributes:
        pid: the process id; 0 for jails, which change all the time.
        processes: the number of processes in the sum.
    """

    pid: int
    pss_kib: int
    descriptors: int
    threads: int
    processes: int = 1


@dataclass(frozen=True, slots=True)
class Sample:
    """All processes at one moment, by name."""

    at_s: float
    held: Mapping[str, Held]


@dataclass(frozen=True, slots=True)
class Growth:
    """One figure of one process over a stay without its warm-up.

    Attributes:
        grown: the growth over the sampled time, by the median of all slopes between two samples (Theil and Sen).
    """

    name: str
    resource: str
    first: float
    last: float
    highest: float
    grown: float
    may: float

    @property
    def fine(self) -> bool:
        """Whether its growth is within the limit."""
        return self.grown <= self.may


@dataclass(slots=True)
class Stay:
    """A whole run; samples from the warm-up do not count for growth."""

    samples: list[Sample] = field(default_factory=list)
    warm_at_s: float = 0.0

    def take(self, supervisor: int, began: float) -> None:
        """Take a sample."""
        self.samples.append(Sample(time.monotonic() - began, held_by(supervisor)))

    def growth(self) -> list[Growth]:
        """Return the growth of every figure of every process after the warm-up, sorted by name."""
        warm = [one for one in self.samples if one.at_s >= self.warm_at_s]
        names = sorted({name for one in warm for name in one.held})
        growths = []
        for name in names:
            for resource, fixed in (
                ("pss_kib", MAX_KIB),
                ("descriptors", MAX_DESCRIPTORS),
                ("threads", MAX_THREADS),
            ):
                points = [(one.at_s, float(getattr(one.held[name], resource))) for one in warm if name in one.held]
                growths.append(_growth(name, resource, points, fixed))
        return growths

    def ended(self) -> list[str]:
        """Return the processes that were replaced, in words."""
        pids: dict[str, list[int]] = defaultdict(list)
        for one in self.samples:
            for name, held in one.held.items():
                if held.pid and held.pid not in pids[name]:
                    pids[name].append(held.pid)
        return [
            f"{name} was {len(those)} processes, one after the other" for name, those in pids.items() if len(those) > 1
        ]

    def broken(self) -> list[str]:
        """Return the processes with too much growth, in words."""
        return [
            f"{one.name}: {one.resource} grew by {one.grown:.0f}, at most {one.may:.0f} are allowed"
            for one in self.growth()
            if not one.fine
        ]


def _growth(name: str, resource: str, points: Sequence[tuple[float, float]], fixed: float) -> Growth:
    values = [value for _, value in points]
    span = points[-1][0] - points[0][0]
    quarter = max(1, len(values) // 4)
    first, last = median(values[:quarter]), median(values[-quarter:])
    may = max(fixed, MAX_SHARE * first) if resource == "pss_kib" else fixed
    return Growth(name, resource, first, last, max(values), steady_slope(points) * span, may)


def steady_slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the median of the slopes between all pairs of points, which is robust against outliers."""
    step = max(1, len(points) // 300)
    some = points[::step]
    slopes = [
        (later[1] - earlier[1]) / (later[0] - earlier[0])
        for at, earlier in enumerate(some)
        for later in some[at + 1 :]
        if later[0] > earlier[0]
    ]
    return median(slopes) if slopes else 0.0


def held_by(supervisor: int) -> dict[str, Held]:
    """Return the resources of each process of an installation, by a stable name; the jails of all workers together."""
    there = processes()
    resources: dict[str, Held] = {}
    jails: list[Held] = []
    for name, pid in _named(supervisor, there):
        with suppress(OSError):
            held = _held(pid)
            if name == JAILS:
                jails.append(held)
            else:
                resources[name] = held
    if jails:
        resources[JAILS] = Held(
            0,
            sum(one.pss_kib for one in jails),
            sum(one.descriptors for one in jails),
            sum(one.threads for one in jails),
            len(jails),
        )
    return resources


def _named(supervisor: int, there: Mapping[int, Process]) -> Iterator[tuple[str, int]]:
    yield "supervisor", supervisor
    counted: dict[str, int] = defaultdict(int)
    for child in sorted(pid for pid, process in there.items() if process.parent == supervisor):
        with suppress(OSError):
            role, deeper = role_of(child), below(child, there)
            if role == WORKER:
                counted[role] += 1
                yield f"match worker {counted[role]}", child
                yield from ((JAILS, pid) for pid in deeper)
            elif role == WEB:
                yield "web, arbiter", child
                yield from ((f"web {number}", pid) for number, pid in enumerate(sorted(deeper), 1))
            elif role != SUPERVISOR:  # it forks for a moment to count matches or to start a child
                yield role, child


def _held(pid: int) -> Held:
    folder = Path(f"/proc/{pid}")
    rollup = folder.joinpath("smaps_rollup").read_text()
    pss = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
    status = folder.joinpath("status").read_text()
    threads = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("Threads:"))
    return Held(pid, pss, len(os.listdir(folder / "fd")), threads)


def document(stay: Stay, lines: Sequence[Line], problems: Sequence[str], matches: int) -> dict[str, Any]:
    """Return a stay as JSON values."""
    return {
        "schema": "gangland/traffic-soak/1",
        "machine": machine(),
        "ok": not problems,
        "broken": list(problems),
        "seconds": stay.samples[-1].at_s - stay.warm_at_s,
        "warm_up_s": stay.warm_at_s,
        "matches": matches,
        "requests": [line._asdict() for line in lines],
        "growth": [{**asdict(one), "fine": one.fine} for one in stay.growth()],
        "samples": [asdict(one) for one in stay.samples],
    }


def section(stay: Stay, lines: Sequence[Line], problems: Sequence[str], matches: int) -> Section:
    """Return the tables and the verdict."""
    grown: list[Row] = []
    for one in stay.growth():
        figures = [f"{value:.0f}" for value in (one.first, one.last, one.highest, one.grown, one.may)]
        grown.append((one.name, one.resource.replace("_kib", ", KiB"), *figures, one.fine))
    columns = ("process", "what", "after warm-up", "at the end", "most", "grown", "may grow by", "fine")
    seconds = stay.samples[-1].at_s - stay.warm_at_s
    title = f"{seconds:.0f} s after {stay.warm_at_s:.0f} s of warm-up, {matches} matches"
    verdict = [f"WRONG: {one}" for one in problems] or ["Nothing has grown, and nothing went wrong."]
    tables = Table("growth", title, columns, tuple(grown)), Table("requests", "Requests", LINES, tuple(lines))
    return Section("traffic soak", tables, tuple(verdict))

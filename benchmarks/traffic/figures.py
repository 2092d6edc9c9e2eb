"""The figures of a run, and whether they are what an organiser may expect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from benchmarks.platform_rate.cpu import WEB
from benchmarks.report import machine
from benchmarks.traffic.crowd import Size
from benchmarks.traffic.measuring import CORES, GENERATOR, OTHERS, Stretch
from benchmarks.traffic.tally import PAGE, Tally, at_share

PAGE_P99_MS: Final = 200.0
MOST_BEYOND: Final = 0.15
"""So much fewer matches may be played, beyond what goes with the CPU that site and visitors take."""


@dataclass(frozen=True, slots=True)
class Run:
    """What was measured.

    Attributes:
        alone: before and after the visitors were there; busy: while they were.
        void: a sentence for each match that came to nothing.
    """

    size: Size
    nice: int
    tally: Tally
    alone: Stretch
    busy: Stretch
    void: Sequence[str]

    @property
    def page_p99_ms(self) -> float:
        """All but one page in a hundred came as fast."""
        return 1e3 * at_share(self.tally.part_s(PAGE), 0.99)

    @property
    def drop(self) -> float:
        """How much fewer matches a second were played, as a share."""
        return 1 - self.busy.a_second / self.alone.a_second if self.alone.matches else 0.0

    @property
    def beyond(self) -> float:
        """How much fewer matches were played in a second of CPU that web, generator and neighbours left over."""
        alone = self.alone.matches / self.alone.left_s
        return 1 - self.busy.matches / self.busy.left_s / alone if alone else 0.0

    @property
    def broken(self) -> list[str]:
        """Which limits were broken, in words."""
        found = [f"{count} x {what} at {kind} ({part})" for (part, kind, what), count in self.tally.errors.items()]
        found += self.void
        if self.page_p99_ms > PAGE_P99_MS:
            found.append(f"pages: p99 is {self.page_p99_ms:.0f} ms, at most {PAGE_P99_MS:.0f} are wanted")
        if self.beyond > MOST_BEYOND:
            words = f"{self.beyond:.0%} fewer matches beyond the CPU that was taken"
            found.append(f"{words}, at most {MOST_BEYOND:.0%} are wanted")
        return found


def document(run: Run) -> dict[str, Any]:
    """Return a run for programs."""
    return {
        "schema": "gangland/traffic/1",
        "machine": machine(),
        "ok": not run.broken,
        "broken": run.broken,
        "size": asdict(run.size),
        "nice": run.nice,
        "requests": [asdict(line) for line in run.tally.lines(run.busy.seconds)],
        "late_p99_ms": 1e3 * at_share(run.tally.late_s, 0.99),
        "page_p99_ms": run.page_p99_ms,
        "alone": _told(run.alone),
        "busy": _told(run.busy),
        "drop": run.drop,
        "taken_by_web_and_generator": run.busy.share(WEB, GENERATOR) - run.alone.share(WEB, GENERATOR),
        "drop_beyond": run.beyond,
        "void": list(run.void),
    }


def _told(stretch: Stretch) -> dict[str, Any]:
    return {**asdict(stretch), "matches_a_second": stretch.a_second}


def text(run: Run, drawn: Callable[[list[list[str]]], str]) -> str:
    """Return the tables and the verdict, drawn in columns or pipes."""
    size = run.size
    who = f"{size.pollers} pollers, {size.readers} readers, {size.uploads_a_minute:g} uploads a minute"
    verdict = "".join(f"WRONG: {one}\n" for one in run.broken) or "All limits are kept.\n"
    return "\n".join(
        [
            machine(),
            f"\n{who}; match workers at nice {run.nice}\n",
            drawn(_requests(run)),
            drawn(_shares(run)),
            _sentences(run),
            verdict,
        ]
    )


def _requests(run: Run) -> list[list[str]]:
    rows = [["part", "kind", "requests", "a second", "unchanged", "p50, ms", "p99, ms", "max, ms", "errors"]]
    for line in run.tally.lines(run.busy.seconds):
        times = [f"{took:.1f}" for took in (line.p50_ms, line.p99_ms, line.max_ms)]
        counts = [str(line.requests), f"{line.a_second:.1f}", str(line.unchanged)]
        rows.append([line.part, line.kind, *counts, *times, str(line.errors)])
    return rows


def _shares(run: Run) -> list[list[str]]:
    rows: list[list[str]] = [["% of all cores", "alone", "with visitors"]]
    roles: Sequence[str] = sorted({*run.alone.cpu_s, *run.busy.cpu_s})
    rows += [[role, f"{100 * run.alone.share(role):.1f}", f"{100 * run.busy.share(role):.1f}"] for role in roles]
    rows.append(["matches a second", f"{run.alone.a_second:.2f}", f"{run.busy.a_second:.2f}"])
    rows.append(["load average", f"{run.alone.load:.1f}", f"{run.busy.load:.1f}"])
    return rows


def _sentences(run: Run) -> str:
    taken = run.busy.share(WEB, GENERATOR) - run.alone.share(WEB, GENERATOR)
    others = run.busy.share(OTHERS) - run.alone.share(OTHERS)
    late = 1e3 * at_share(run.tally.late_s, 0.99)
    return (
        f"{run.drop:.1%} fewer matches a second with visitors.\n"
        f"Web and generator took {taken:.1%} of {CORES} cores more, "
        f"neighbours {others:.1%}: in the CPU that was left, {run.beyond:.1%} fewer.\n"
        f"The generator sent 99% of all requests within {late:.0f} ms of when they were due.\n"
    )

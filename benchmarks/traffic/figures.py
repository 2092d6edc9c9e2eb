"""The figures of a run, with their limits."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from benchmarks.harness import Row, Section, Table, machine
from benchmarks.processes import WEB
from benchmarks.site import CORES
from benchmarks.traffic.client import LINES, Tally, at_share
from benchmarks.traffic.crowd import PAGE, Size
from benchmarks.traffic.site import GENERATOR, OTHERS, Stretch

PAGE_P99_MS: Final = 200.0
MAX_BEYOND: Final = 0.15
"""The maximum loss of matches, in addition to the CPU of site and visitors."""


@dataclass(frozen=True, slots=True)
class Run:
    """The measurements.

    Attributes:
        alone: the periods before and after the visitors; busy: the period with visitors.
        void: a sentence for each void match.
    """

    size: Size
    nice: int
    tally: Tally
    alone: Stretch
    busy: Stretch
    void: Sequence[str]

    @property
    def page_p99_ms(self) -> float:
        """The time within which 99% of all pages were complete."""
        return 1e3 * at_share(self.tally.part_s(PAGE), 0.99)

    @property
    def drop(self) -> float:
        """The drop in matches per second, as a share."""
        return 1 - self.busy.a_second / self.alone.a_second if self.alone.matches else 0.0

    @property
    def beyond(self) -> float:
        """The drop in matches per second of CPU that web, generator and neighbors did not use, as a share."""
        alone = self.alone.matches / self.alone.left_s
        return 1 - self.busy.matches / self.busy.left_s / alone if alone else 0.0

    def more(self, *roles: str) -> float:
        """Return the additional share of all cores that these roles used with visitors."""
        return self.busy.share(*roles) - self.alone.share(*roles)

    @property
    def broken(self) -> list[str]:
        """The broken limits, in words."""
        sentences = [*self.tally.problems(), *self.void]
        if self.page_p99_ms > PAGE_P99_MS:
            sentences.append(f"pages: p99 is {self.page_p99_ms:.0f} ms, at most {PAGE_P99_MS:.0f} are wanted")
        if self.beyond > MAX_BEYOND:
            words = f"{self.beyond:.0%} fewer matches beyond the CPU that was taken"
            sentences.append(f"{words}, at most {MAX_BEYOND:.0%} are wanted")
        return sentences


def document(run: Run) -> dict[str, Any]:
    """Return a run as JSON values."""
    return {
        "schema": "gangland/traffic/1",
        "machine": machine(),
        "ok": not run.broken,
        "broken": run.broken,
        "size": asdict(run.size),
        "nice": run.nice,
        "requests": [line._asdict() for line in run.tally.lines(run.busy.seconds)],
        "late_p99_ms": 1e3 * at_share(run.tally.late_s, 0.99),
        "page_p99_ms": run.page_p99_ms,
        "alone": {**asdict(run.alone), "matches_a_second": run.alone.a_second},
        "busy": {**asdict(run.busy), "matches_a_second": run.busy.a_second},
        "drop": run.drop,
        "taken_by_web_and_generator": run.more(WEB, GENERATOR),
        "drop_beyond": run.beyond,
        "void": list(run.void),
    }


def section(run: Run) -> Section:
    """Return the tables and the verdict."""
    size = run.size
    who = f"{size.pollers} pollers, {size.readers} readers, {size.uploads_a_minute:g} uploads a minute"
    roles: Sequence[str] = sorted({*run.alone.cpu_s, *run.busy.cpu_s})
    shares: list[Row] = [
        *((role, f"{100 * run.alone.share(role):.1f}", f"{100 * run.busy.share(role):.1f}") for role in roles),
        ("matches a second", f"{run.alone.a_second:.2f}", f"{run.busy.a_second:.2f}"),
        ("load average", f"{run.alone.load:.1f}", f"{run.busy.load:.1f}"),
    ]
    title = f"{who}; match workers at nice {run.nice}"
    late = 1e3 * at_share(run.tally.late_s, 0.99)
    text = (
        f"{run.drop:.1%} fewer matches a second with visitors.",
        f"Web and generator took {run.more(WEB, GENERATOR):.1%} of {CORES} cores more,",
        f"neighbors {run.more(OTHERS):.1%}: in the CPU that was left, {run.beyond:.1%} fewer.",
        f"The generator sent 99% of all requests within {late:.0f} ms of when they were due.",
    )
    return Section(
        "traffic",
        (
            Table("requests", title, LINES, tuple(run.tally.lines(run.busy.seconds))),
            Table("shares", "Who had the CPU", ("% of all cores", "alone", "with visitors"), tuple(shares)),
        ),
        (" ".join(text), *([f"WRONG: {one}" for one in run.broken] or ["All limits are kept."])),
    )

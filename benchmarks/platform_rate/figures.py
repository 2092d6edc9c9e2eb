"""From runs to figures: the platform's rate beside the referee's own, and where the CPU time goes."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from benchmarks.platform_rate.alone import Taken
from benchmarks.platform_rate.cpu import BEAT, BROKER, DATABASE, JAILS, RECORDER, SUPERVISOR, WEB, WORKER
from benchmarks.report import machine

AIM = 0.85
"""What the platform should keep of the referee's own rate."""
MOST = 1.1
"""A platform does more than its referee; where it seems quicker by this much, the machine had other things to do."""
ROLES = (WORKER, JAILS, RECORDER, BROKER, DATABASE, BEAT, WEB, SUPERVISOR)


@dataclass(frozen=True, slots=True)
class Round:
    """One turn at one table: so many matches by the referee alone, and the same through the platform."""

    game: str
    seats: int
    matches: int
    alone: Taken
    whole: Taken

    @property
    def by_clock(self) -> float:
        """The platform's matches a second as a share of the referee's."""
        return self.alone.wall_s / self.whole.wall_s

    @property
    def by_cpu(self) -> float:
        """The referee's CPU seconds as a share of the platform's: the same ratio where cores are never idle."""
        return sum(self.alone.cpu_s.values()) / sum(self.whole.cpu_s.values())

    @property
    def playing(self) -> float:
        """Match workers' and jails' part of the platform's CPU seconds, all in one run: neighbours change it least."""
        return sum(self.whole.cpu_s.get(role, 0.0) for role in (WORKER, JAILS)) / sum(self.whole.cpu_s.values())

    @property
    def sentence(self) -> str:
        """What came of it, in words."""
        return f"{self.game}, {self.seats} seats: {self.by_clock:.2f} by the clock, {self.by_cpu:.2f} by CPU time"


@dataclass(frozen=True, slots=True)
class Rate:
    """A table's figures: medians over the rounds, and the lowest and highest of the ratio.

    Attributes:
        share: the platform's rate of the referee's, by the clock; `cpu_share` the same by CPU time.
        playing: how much of the platform's CPU time match workers and jails take.
        met: by the clock; a share far above 1 tells of a busy machine, and nothing is met by it.
        alone_per_s: matches a second; the CPU is milliseconds a match, of all processes together.
    """

    game: str
    seats: int
    alone_per_s: float
    whole_per_s: float
    share: float
    lowest: float
    highest: float
    alone_cpu_ms: float
    whole_cpu_ms: float
    cpu_share: float
    cpu_lowest: float
    cpu_highest: float
    playing: float
    met: bool


RATE_HEADINGS = (
    "game",
    "seats",
    "alone, matches/s",
    "platform, matches/s",
    "share",
    "lowest",
    "highest",
    "alone, CPU ms/match",
    "platform, CPU ms/match",
    "share by CPU",
    "lowest",
    "highest",
    "playing's part of the platform's CPU",
    "met",
)


@dataclass(frozen=True, slots=True)
class Spent:
    """CPU milliseconds a match of one kind of process, medians over the rounds."""

    game: str
    seats: int
    of: str
    alone_ms: float | None
    whole_ms: float


def rates(rounds: Sequence[Round]) -> list[Rate]:
    """Return a row for each table."""
    return [_rate(those) for those in _by_table(rounds)]


def _rate(rounds: Sequence[Round]) -> Rate:
    clock, cpu = [one.by_clock for one in rounds], [one.by_cpu for one in rounds]
    share = statistics.median(clock)
    return Rate(
        game=rounds[0].game,
        seats=rounds[0].seats,
        alone_per_s=statistics.median([one.matches / one.alone.wall_s for one in rounds]),
        whole_per_s=statistics.median([one.matches / one.whole.wall_s for one in rounds]),
        share=share,
        lowest=min(clock),
        highest=max(clock),
        alone_cpu_ms=statistics.median([_a_match(one, one.alone) for one in rounds]),
        whole_cpu_ms=statistics.median([_a_match(one, one.whole) for one in rounds]),
        cpu_share=statistics.median(cpu),
        cpu_lowest=min(cpu),
        cpu_highest=max(cpu),
        playing=statistics.median([one.playing for one in rounds]),
        met=AIM <= share <= MOST,
    )


def spent(rounds: Sequence[Round]) -> list[Spent]:
    """Return a row for each table and kind of process."""
    rows = []
    for those in _by_table(rounds):
        for role in ROLES:
            if any(role in one.whole.cpu_s for one in those):
                alone = [_a_match(one, one.alone, role) for one in those if role in one.alone.cpu_s]
                whole = statistics.median([_a_match(one, one.whole, role) for one in those])
                own = statistics.median(alone) if alone else None
                rows.append(Spent(those[0].game, those[0].seats, role, own, whole))
    return rows


def _a_match(one: Round, taken: Taken, role: str | None = None) -> float:
    seconds = sum(taken.cpu_s.values()) if role is None else taken.cpu_s.get(role, 0.0)
    return 1e3 * seconds / one.matches


def _by_table(rounds: Sequence[Round]) -> list[list[Round]]:
    tables: dict[tuple[str, int], list[Round]] = {}
    for one in rounds:
        tables.setdefault((one.game, one.seats), []).append(one)
    return list(tables.values())


def text(rounds: Sequence[Round], drawn: Callable[[list[list[str]]], str]) -> str:
    """Return both tables, drawn in columns or pipes."""
    of_rates = [list(RATE_HEADINGS), *([_cell(value) for value in asdict(row).values()] for row in rates(rounds))]
    headings = ["game", "seats", "CPU ms/match", "alone", "platform"]
    of_time = [headings, *([_cell(value) for value in asdict(row).values()] for row in spent(rounds))]
    return f"{machine()}\n\n{drawn(of_rates)}\n{drawn(of_time)}"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3g}" if isinstance(value, float) else str(value)

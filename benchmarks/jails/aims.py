"""What was aimed at, beside what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.jails import decisions, starts
from benchmarks.jails.decisions import LoopFigures
from benchmarks.jails.starts import StartFigures
from benchmarks.jails.tables import TableFigures


@dataclass(frozen=True)
class Aim:
    """One aim; of several tables the worst counts."""

    aim: str
    wanted: str
    measured: float
    met: bool


def aims(started: Sequence[StartFigures], asked: Sequence[LoopFigures], seated: Sequence[TableFigures]) -> list[Aim]:
    """Return all aims with the figures of one run."""
    start = {row.start: row for row in started}
    handed = start[starts.HANDED_BOT]
    assert handed.cpu_ms is not None
    checked = [row for row in asked if row.loop == decisions.CHECKED]
    jailed = [row.of_unjailed for row in asked if row.loop == decisions.JAILED and row.of_unjailed is not None]
    pairs = min((row.ratio for row in seated), default=0.0)
    return [
        _most("cold jail, x the harness without it", 1.5, start[starts.COLD].of_harness),
        _most("from the pool with its bot, median ms", 2.0, handed.median_ms),
        _most("from the pool with its bot, p95 ms", 5.0, handed.p95_ms),
        _most("kill to gone, median ms", 5.0, start[starts.KILL].median_ms),
        _most("CPU a start, all in, ms", 20.0, handed.cpu_ms),
        _most("decision in a jail, x without", 1.1, max(jailed)),
        _most("decision in a jail, checked, CPU us (45 at the worst)", 27.0, max(row.cpu_us for row in checked)),
        _most("decision in a jail, checked, x bare pipe", 1.5, max(row.of_raw for row in checked)),
        Aim("two tables, x one", "1.8 or more", pairs, pairs >= 1.8),
    ]


def _most(aim: str, wanted: float, measured: float) -> Aim:
    return Aim(aim, f"{wanted:g}", measured, measured <= wanted)

"""Puts figures into tables: for a terminal, for the documentation, and as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.jails.aims import Aim
from benchmarks.jails.decisions import LoopFigures
from benchmarks.jails.shares import Share
from benchmarks.jails.starts import StartFigures
from benchmarks.jails.tables import TableFigures
from benchmarks.matches import MatchFigures
from benchmarks.measuring import Figures
from benchmarks.parts import Part

HEADINGS = {
    "game": "game",
    "seats": "seats",
    "way": "way",
    "part": "part",
    "games_per_s": "games/s",
    "decision_us": "us/decision",
    "of_engine": "x engine",
    "of_hand_tuned": "x hand-tuned",
    "of_in_process": "x in process",
    "start": "start or end",
    "times": "times",
    "median_ms": "median ms",
    "p95_ms": "p95 ms",
    "cpu_ms": "CPU ms",
    "of_bare": "x bare Python",
    "of_harness": "x no jail",
    "loop": "way",
    "wall_us": "us/decision",
    "cpu_us": "CPU us/decision",
    "of_raw": "x bare pipe",
    "of_unjailed": "x no jail",
    "one_per_s": "games/s, one table",
    "two_per_s": "games/s, two tables",
    "ratio": "x one table",
    "aim": "aim",
    "wanted": "at most",
    "measured": "measured",
    "met": "met",
}
TITLES: dict[type, str] = {
    Figures: "Random play with an observation for every decision (CPU time)",
    MatchFigures: "Matches of random bots (wall time)",
    Part: "Where the engine's time goes (CPU time)",
    Aim: "What was aimed at",
    StartFigures: "Starts and ends of a bot's process (wall time; CPU of all who take part)",
    LoopFigures: "A decision, on one core (ratios of CPU time)",
    Share: "Where the time of a jailed decision goes (CPU time)",
    TableFigures: "Two tables on two cores",
}
Row = Figures | MatchFigures | Part | Aim | StartFigures | LoopFigures | Share | TableFigures
OF_JAILS = (Aim, StartFigures, LoopFigures, Share, TableFigures)
"""What stands in a part of the page of its own."""
PARTS = ("figures", "jails", "load", "soak", "platform rate", "traffic", "traffic soak")


def marks(part: str) -> tuple[str, str]:
    """Return what a page has before and after the text of a part that a command writes."""
    return f"<!-- {part} -->", f"<!-- end of {part} -->"


def put(page: Path, part: str, text: str) -> None:
    """Put a text in the place of what a page has between the marks of a part.

    Raises:
        ValueError: the page has no such marks.
    """
    begin, end = marks(part)
    before, found, rest = page.read_text(encoding="utf-8").partition(begin)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise ValueError(f"{page} has no marks {begin} and {end}")
    page.write_text(f"{before}{begin}\n{text}{end}{after}", encoding="utf-8")


@dataclass(frozen=True)
class Report:
    """All that one run has measured.

    Attributes:
        missing: the ways that could not be measured, and why.
    """

    tables: Mapping[type, Sequence[Row]]
    missing: Mapping[str, str]

    def text(self) -> str:
        """Return aligned columns."""
        return self._joined(columns, "{}")

    def markdown(self) -> str:
        """Return tables as the documentation has them."""
        return self._joined(pipes, "**{}**")

    def into(self, page: Path) -> None:
        """Put the tables in the place of those that a page has, those of jails into their own part.

        Raises:
            ValueError: the page has no place for them.
        """
        of_jails: dict[type, Sequence[Row]] = {kind: rows for kind, rows in self.tables.items() if kind in OF_JAILS}
        rest: dict[type, Sequence[Row]] = {kind: rows for kind, rows in self.tables.items() if kind not in OF_JAILS}
        if rest or not of_jails:
            put(page, "figures", Report(rest, self.missing).markdown())
        if of_jails:
            put(page, "jails", Report(of_jails, {} if rest else self.missing).markdown())

    def json(self) -> str:
        """Return everything for programs."""
        tables = {kind.__name__: [asdict(row) for row in rows] for kind, rows in self.tables.items()}
        return json.dumps({"machine": machine(), "tables": tables, "missing": dict(self.missing)}, indent=2) + "\n"

    def _joined(self, drawn: Callable[[list[list[str]]], str], title: str) -> str:
        parts = [f"{title.format(TITLES[kind])}\n\n{drawn(_cells(rows))}" for kind, rows in self.tables.items() if rows]
        parts += [f"Not measured: {way} ({why}).\n" for way, why in self.missing.items()]
        return "\n".join([f"{machine()}\n", *parts])


def machine() -> str:
    """Return when the figures were measured, and on what."""
    today = datetime.now(UTC).date()
    load = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    python = f"Python {platform.python_version()}, {platform.machine()}"
    return f"{today}, {python}, {os.cpu_count()} cores, load {load} (1, 5, 15 minutes)"


def _cells(rows: Sequence[Row]) -> list[list[str]]:
    names = [field.name for field in fields(rows[0])]
    return [[HEADINGS[name] for name in names], *([_cell(getattr(row, name)) for name in names] for row in rows)]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def columns(cells: list[list[str]]) -> str:
    """Return rows, the first of them headings, as aligned columns."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    texts = _texts(cells)
    lines = []
    for row in cells:
        aligned = [
            cell.ljust(width) if is_text else cell.rjust(width)
            for cell, width, is_text in zip(row, widths, texts, strict=True)
        ]
        lines.append("  ".join(aligned).rstrip() + "\n")
    return "".join(lines)


def pipes(cells: list[list[str]]) -> str:
    """Return rows, the first of them headings, as a table of Markdown."""
    heading, *rows = cells
    rule = ["---" if is_text else "--:" for is_text in _texts(cells)]
    return "".join([f"| {' | '.join(row)} |\n" for row in (heading, rule, *rows)])


def _texts(cells: list[list[str]]) -> list[bool]:
    """Return which columns hold more than numbers."""
    return [
        not all(cell.replace(".", "").isdigit() for cell in column[1:] if cell) for column in zip(*cells, strict=True)
    ]

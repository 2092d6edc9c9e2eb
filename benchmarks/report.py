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
}
TITLES: dict[type, str] = {
    Figures: "Random play with an observation for every decision (CPU time)",
    MatchFigures: "Matches of random bots (wall time)",
    Part: "Where the engine's time goes (CPU time)",
}
Row = Figures | MatchFigures | Part
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
"""What a page has around its tables."""


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
        return self._joined(_columns, "{}")

    def markdown(self) -> str:
        """Return tables as the documentation has them."""
        return self._joined(_pipes, "**{}**")

    def into(self, page: Path) -> None:
        """Put the tables in the place of those that a page has, between its two marks.

        Raises:
            ValueError: the page has no such marks.
        """
        before, mark, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        if not (mark and end):
            raise ValueError(f"{page} has no marks {BEGIN} and {END}")
        page.write_text(f"{before}{BEGIN}\n{self.markdown()}{END}{after}", encoding="utf-8")

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
    return f"{today}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"


def _cells(rows: Sequence[Row]) -> list[list[str]]:
    names = [field.name for field in fields(rows[0])]
    return [[HEADINGS[name] for name in names], *([_cell(getattr(row, name)) for name in names] for row in rows)]


def _cell(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _columns(cells: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    texts = [not cells[1][column].replace(".", "").isdigit() for column in range(len(widths))]
    lines = []
    for row in cells:
        aligned = [
            cell.ljust(width) if is_text else cell.rjust(width)
            for cell, width, is_text in zip(row, widths, texts, strict=True)
        ]
        lines.append("  ".join(aligned).rstrip() + "\n")
    return "".join(lines)


def _pipes(cells: list[list[str]]) -> str:
    heading, *rows = cells
    rule = ["---" if not cells[1][column].replace(".", "").isdigit() else "--:" for column in range(len(heading))]
    return "".join([f"| {' | '.join(row)} |\n" for row in (heading, rule, *rows)])

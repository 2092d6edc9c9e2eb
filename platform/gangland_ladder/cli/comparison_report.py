"""Two versions of a bot compared by cost, as text."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from gangland_ladder.analysis.comparison import Comparison, Difference
from gangland_ladder.cli import report

ROWS: Final = 12
"""So many of the largest differences are listed in text; a JSON document has all."""


def print_comparison(found: Comparison) -> None:
    """Print how two versions differ, in whole and in parts, the largest difference first."""
    sys.stdout.write(f"{report.one_line(_verdict(found))}\n{_dice(found)}\n\n")
    parts = sorted(_parts(found), key=lambda part: -abs(part[1].difference))
    rows = [
        [
            words,
            report.percent(each.old),
            report.percent(each.new),
            report.signed(each.difference),
            report.off(each.error),
            "" if each.verdict.claims else each.verdict.value,
        ]
        for words, each in [("all decisions", found.whole), *parts[:ROWS]]
    ]
    heads = ["lost a game by", report.one_line(found.old), report.one_line(found.new), "difference", "+-", ""]
    report.print_table(heads, rows, left=(0, 5))
    if len(parts) > ROWS:
        sys.stdout.write(f"and {len(parts) - ROWS} smaller ones\n")


def _verdict(found: Comparison) -> str:
    """Return in a sentence what may be claimed."""
    whole = found.whole
    old, new = report.percent(whole.old), report.percent(whole.new)
    if not whole.verdict.claims:
        return f"{whole.verdict.value}: {found.new} loses {new} of a win a game, {found.old} {old}"
    by = report.percent(abs(whole.difference))
    return f"{found.new} loses {by} of a win a game {whole.verdict} than {found.old}: {new}, not {old}"


def _dice(found: Comparison) -> str:
    """Return from how many games that is, and what it gained that some were on the same dice."""
    games = f"{report.counted(found.new_games, 'game')} against {found.old_games}"
    error = f"standard error {report.percent(found.whole.error)}"
    if not found.paired:
        return f"{games}, each on dice of its own; {error}"
    without = f" (if they had not been paired: {report.percent(found.unpaired_error)})"
    return (
        f"{games}, both on the same dice in {found.paired} of {report.counted(found.blocks, 'block')}; {error}{without}"
    )


def _parts(found: Comparison) -> Iterator[tuple[str, Difference]]:
    for kind in found.kinds:
        yield f"choose_{kind.kind}", kind
    for phase in found.phases:
        yield f"{phase.phase} third, rounds {phase.rounds[0]} to {phase.rounds[1]}", phase
    if len(found.tables) > 1:
        for table in found.tables:
            yield f"tables of {table.seats}", table
    for theme in found.themes:
        yield theme.theme, theme

"""What `gangland ladder` prints: the table, who beats whom, what is not settled; and lines of JSON while it plays."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from gangland_ladder.cli import report
from gangland_ladder.documents.ladders import EndLine, Ladder, LadderLine, PairsLine, RangesLine, TimesLine
from gangland_ladder.local.ladder import LadderResults
from gangland_ladder.rating.final_standings import FinalStandings

NAMED = 3
"""Of so many bots it is said by name from whom they are not separated."""
WIDEST = 16
"""The matrix of more bots than this is left to `--html` and `--ndjson`."""


def print_results(results: LadderResults) -> None:
    """Print the table of a ladder, and below it who was ahead of whom."""
    ranges = results.ranges()
    rows = {row.entry: row for row in ranges.rows}
    lines = []
    for (rank, line), entry in zip(results.table.ranked(), results.order(), strict=True):
        row, p99 = rows[entry], results.p99_ms(entry)
        share = row.against_all
        lines.append(
            [
                report.figure(rank, "{:.0f}"),
                line.bot,
                report.figure(line.win_share, "{:.1%}"),
                "-" if share is None else f"{share.value:.1%}",
                "-" if share is None else f"{100 * share.low:.1f}-{100 * share.high:.1f}%",
                report.figure(line.mean_place, "{:.2f}"),
                fault_counts(line.faults) if line.games else "-",
                report.figure(p99, "{:.1f}"),
                row.range if line.games else "-",
            ]
        )
    head = ["#", "bot", "wins", "score", "95% range", "mean place", "faults", "p99 ms", "ranks"]
    report.print_table(head, lines, left=(1,))
    _print_matrix(results)


def fault_counts(faults: Mapping[str, int]) -> str:
    """Return how many faults of each kind there were, in words."""
    return ", ".join(f"{kind} {count}" for kind, count in sorted(faults.items())) or "0"


def _print_matrix(results: LadderResults) -> None:
    order = results.order()
    if not 2 < len(order) <= WIDEST or not results.blocks:
        return
    sys.stdout.write("\nAhead of, in % of games\n")
    rows = []
    for rank, one in enumerate(order, 1):
        cells = [results.meeting(one, other) for other in order]
        rows.append(
            [str(rank), results.names[one], *("-" if met is None else f"{100 * met.share:.0f}" for met in cells)]
        )
    report.print_table(["", "", *map(str, range(1, len(order) + 1))], rows, left=(1,))


def unsettled(ranges: FinalStandings, names: Sequence[str]) -> list[str]:
    """Return who is not separated from the next in the order, and what separating the first would take."""
    pairs = [(row.entry, row.next_below) for row in ranges.rows if row.next_below is not None and row.blocks]
    if not pairs:
        return []
    sentences = [
        f"{report.cleaned(names[one])} is not separated from {report.cleaned(names[other])}."
        for one, other in pairs[:NAMED]
    ]
    if len(pairs) > NAMED:
        sentences.append(f"Nor are {len(pairs) - NAMED} more from the next below them.")
    first = ranges.top(1)
    if first.games_needed:
        sentences.append(f"Some {first.games_needed:,} more games are likely to show which is the first.")
    return sentences


def stream(line: LadderLine) -> None:
    """Print one line of the stream at once."""
    report.print_json(line)
    sys.stdout.flush()


def stream_end(results: LadderResults, document: Ladder, *, interrupted: bool) -> None:
    """Print the lines that come after the last match."""
    stream(PairsLine(pairs=results.head_to_head()))
    stream(RangesLine(standings=results.named_ranges()))
    stream(TimesLine(p99_ms=_times(results.names, results)))
    stream(EndLine(interrupted=interrupted, ladder=document))


def _times(names: Sequence[str], results: LadderResults) -> dict[str, float | None]:
    found = {name: results.p99_ms(entry) for entry, name in enumerate(names)}
    return {name: p99 if p99 is None else round(p99, 3) for name, p99 in found.items()}

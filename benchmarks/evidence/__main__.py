"""Measure that the games are fair, and print the tables of benchmarks/results/fairness.md.

The same number of games gives the same figures, on any machine and any number of cores.

    python -m benchmarks.evidence [--games N] [--markdown | --json] [--write]
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.evidence.jobs import run_all
from benchmarks.evidence.plan import FULL, jobs, second_jobs, tables
from benchmarks.evidence.tables import Table, rewritten

PAGE = Path(__file__).resolve().parents[1] / "results" / "fairness.md"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, count and print."""
    options = _parser().parse_args(arguments)
    found = measured(options.games, options.workers)
    if options.write:
        PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
        sys.stderr.write(f"wrote the tables of {PAGE.name}\n")
    else:
        sys.stdout.write(printed(found, markdown=options.markdown, as_json=options.json))


def measured(games: int, workers: int) -> list[Table]:
    """Return all tables."""
    first = run_all(jobs(games), workers)
    return tables(games, first, run_all(second_jobs(first), workers))


def printed(found: Sequence[Table], *, markdown: bool, as_json: bool) -> str:
    """Return the tables in the form that was asked for."""
    if as_json:
        return json.dumps([table.as_values() for table in found], indent=1) + "\n"
    if markdown:
        return "\n".join(f"## {table.title}\n\n{table.as_markdown()}" for table in found)
    return "\n\n".join(table.as_text() for table in found) + "\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.evidence", description="Evidence that the games are fair."
    )
    parser.add_argument("--games", type=_count, default=FULL, help=f"games of random play at each table ({FULL})")
    parser.add_argument("--workers", type=_count, default=os.cpu_count() or 1, help="processes (one a core)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="print Markdown")
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--write", action="store_true", help="write the tables into benchmarks/results/fairness.md")
    return parser


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"a number from 1, not {text!r}")
    return count


def _stop(*_: object) -> None:
    """End as by an error, so that the other processes end too."""
    sys.exit(128 + signal.SIGTERM)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    main()

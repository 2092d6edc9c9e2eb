"""Measures how fast games are played, side by side in one run.

    python -m benchmarks                          everything: some seven minutes
    python -m benchmarks --only engine            the engine beside the hand-tuned loop: one minute
    python -m benchmarks --only jails             what a jail costs beside its bare limits: two minutes
    python -m benchmarks --into benchmarks/results/speed.md     everything, into the tables of that page

Figures of different runs or machines say little; ratios within a run do.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from benchmarks import jails, matches, measuring, parts
from benchmarks.matches import MatchFigures
from benchmarks.measuring import Figures
from benchmarks.parts import Part
from benchmarks.report import Report, Row
from benchmarks.ways import WAYS
from gangland.games import GAME_NAMES
from gangland_ladder.local.processes import Tables
from gangland_sandbox.jail import Mode

SUBJECTS = ("engine", "peers", "matches", "parts", "jails")
SEATS = (2, 4)


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed, as ratios within one run.")
    parser.add_argument("--only", choices=SUBJECTS, action="append", help="this subject; may be given again")
    parser.add_argument("--game", choices=GAME_NAMES, action="append", help="this game only")
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), action="append", help="so many seats only (2 and 4)")
    parser.add_argument("--rounds", type=int, default=5, help="how often each way is measured (5)")
    parser.add_argument("--round-s", type=float, default=0.4, help="CPU seconds of a way in a round, about (0.4)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--markdown", action="store_true", help="print Markdown")
    form.add_argument("--into", type=Path, metavar="PAGE", help="put the tables into a page, between its marks")
    return parser.parse_args(given)


def run(chosen: argparse.Namespace) -> Report:
    """Measure what was chosen."""
    subjects = chosen.only or SUBJECTS
    at_tables = list(product(chosen.game or GAME_NAMES, chosen.seats or SEATS))
    tables: dict[type, Sequence[Row]] = {}
    missing: dict[str, str] = {}
    if {"engine", "peers"} & set(subjects):
        tables[Figures] = _random_play(subjects, at_tables, chosen, missing)
    if "parts" in subjects:
        tables[Part] = [row for game, seats in at_tables for row in parts.measure(game, seats, chosen.rounds)]
    if "matches" in subjects:
        tables[MatchFigures] = _matches(at_tables, chosen.rounds)
    if "jails" in subjects:
        tables |= jails.measure(at_tables, chosen.rounds, missing, _say)
    return Report(tables, missing)


def _random_play(
    subjects: Sequence[str], at_tables: Sequence[tuple[str, int]], chosen: argparse.Namespace, missing: dict[str, str]
) -> list[Figures]:
    ways = [way for way in WAYS if way.subject in ("base", *subjects)]
    rows: list[Figures] = []
    with measuring.workers(ways, missing) as started:
        for game, seats in at_tables:
            _say(f"{game}, {seats} seats: {', '.join(worker.way.name for worker in started)}")
            rows += measuring.measure(started, game, seats, chosen.rounds, chosen.round_s)
    return rows


def _matches(at_tables: Sequence[tuple[str, int]], rounds: int) -> list[MatchFigures]:
    rows: list[MatchFigures] = []
    with Tables(mode=Mode.TRUSTED, workers=1) as trusted, Tables(mode=Mode.JAIL, workers=1) as jailed:
        for game, seats in at_tables:
            _say(f"{game}, {seats} seats: matches")
            rows += matches.measure(game, seats, rounds, trusted, jailed)
    return rows


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def main() -> None:
    """Measure and print."""
    chosen = arguments()
    report = run(chosen)
    if chosen.into:
        report.into(chosen.into)
    else:
        sys.stdout.write(report.json() if chosen.json else report.markdown() if chosen.markdown else report.text())


if __name__ == "__main__":
    main()

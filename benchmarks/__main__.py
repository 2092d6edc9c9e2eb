"""Measure the speed of games, all ways in one run.

    python -m benchmarks                          everything: about seven minutes
    python -m benchmarks --only engine            the engine and the hand-tuned loop: one minute
    python -m benchmarks --only jails             the cost of a jail over its bare limits: two minutes
    python -m benchmarks --into benchmarks/results/speed.md     everything, into the tables of that page

Compare ratios within one run; figures of different runs or machines are hardly comparable.
"""

import argparse
from collections.abc import Sequence
from itertools import product

from benchmarks import jails, random_play
from benchmarks.harness import Row, Section, Table, parser, publish, say
from benchmarks.ways import WAYS
from gangland.games import GAME_NAMES

SUBJECTS = ("engine", "peers", "jails")
SEATS = (2, 4)


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    line = parser("benchmarks", "Speed, as ratios within one run.")
    line.add_argument("--only", choices=SUBJECTS, action="append", help="this subject; may be given again")
    line.add_argument("--game", choices=GAME_NAMES, action="append", help="this game only")
    line.add_argument("--seats", type=int, choices=(2, 3, 4), action="append", help="so many seats only (2 and 4)")
    line.add_argument("--rounds", type=int, default=5, help="how often each way is measured (5)")
    line.add_argument("--round-s", type=float, default=0.4, help="CPU seconds of a way in a round, about (0.4)")
    return line.parse_args(words)


def run(options: argparse.Namespace) -> list[Section]:
    """Measure the selected parts."""
    subjects = options.only or SUBJECTS
    at_tables = list(product(options.game or GAME_NAMES, options.seats or SEATS))
    missing: dict[str, str] = {}
    sections = []
    if {"engine", "peers"} & set(subjects):
        title = "Random play with an observation for every decision (CPU time)"
        rows = _random_play(subjects, at_tables, options, missing)
        table = Table("random play", title, random_play.COLUMNS, tuple(rows))
        notes = tuple([f"Not measured: {way} ({reason})." for way, reason in missing.items()])
        sections.append(Section("figures", (table,), notes))
    return [*sections, jails.measure(at_tables, options.rounds)] if "jails" in subjects else sections


def _random_play(
    subjects: Sequence[str], at_tables: Sequence[tuple[str, int]], options: argparse.Namespace, missing: dict[str, str]
) -> list[Row]:
    ways = [way for way in WAYS if way.subject in ("base", *subjects)]
    rows: list[Row] = []
    with random_play.workers(ways, missing) as started:
        for game, seats in at_tables:
            say(f"{game}, {seats} seats: {', '.join(worker.way.name for worker in started)}")
            rows += random_play.measure(started, game, seats, options.rounds, options.round_s)
    return rows


if __name__ == "__main__":
    options = arguments()
    publish(options, run(options))

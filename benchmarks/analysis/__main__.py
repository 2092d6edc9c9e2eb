"""Measure the analysis, part by part; games that there is no time for are left out.

    python -m benchmarks.analysis calibration [--game G] [--seats N] [--games N] [--seconds S] [--cores K]

Seconds are for each game and table size.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import product

import numpy as np

from benchmarks.analysis import calibration
from benchmarks.harness import Job, Section, count, end_whole, parser, pieces, publish, run_all, say
from gangland.games import GAME_NAMES, game_named

PIECE = 5
"""Games of one piece of work."""


def sizes(chosen: argparse.Namespace) -> list[tuple[str, int]]:
    """Return the games and table sizes that were chosen."""
    return [
        (game, seats)
        for game, seats in product(chosen.game or GAME_NAMES, chosen.seats or (2, 3, 4))
        if seats in game_named(game).table_sizes
    ]


def calibrated(chosen: argparse.Namespace) -> Section:
    """Play the reference against itself and compare."""
    found = {}
    for game, seats in sizes(chosen):
        say(f"calibration: {game}, {seats} seats")
        until = time.monotonic() + chosen.seconds
        numbers = [range(part.start + chosen.seed, part.stop + chosen.seed) for part in pieces(chosen.games, PIECE)]
        jobs = [Job((game, seats), calibration.played, (game, seats, part, until)) for part in numbers]
        found[game, seats] = np.concatenate(run_all(jobs, chosen.cores)[game, seats])
    return Section("calibration", tuple(calibration.tables(found)))


PARTS = {"calibration": calibrated}


def main(given: Sequence[str] | None = None) -> None:
    """Measure what was chosen, and print it."""
    line = parser("benchmarks.analysis", "Whether the analysis of games says what is so.", page="analysis.md")
    line.add_argument("part", choices=PARTS, nargs="+")
    line.add_argument("--game", choices=GAME_NAMES, action="append", help="this game only")
    line.add_argument("--seats", type=int, choices=(2, 3, 4), action="append", help="so many seats only")
    line.add_argument("--games", type=count, default=400, help="games of each table size, at most (400)")
    line.add_argument("--seconds", type=count, default=3600, help="time for each table size (3600)")
    line.add_argument("--cores", type=count, default=1, help="processes (1)")
    line.add_argument("--seed", type=int, default=0, help="the number of the first game (0)")
    chosen = line.parse_args(given)
    publish(chosen, [PARTS[part](chosen) for part in chosen.part])


if __name__ == "__main__":
    end_whole()
    main()

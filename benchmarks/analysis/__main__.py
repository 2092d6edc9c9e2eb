"""Measure the analysis, part by part.

    python -m benchmarks.analysis [--only PART] [--game G] [--seats N] [--games N] [--seconds S] [--cores K] [--write]

`calibration` plays the reference against itself; `house` ranks bots by the cost of their decisions; `account` checks
the sums of many kinds of games; `error` measures the reference's own error; `time` compares analysis with play;
`planted` looks for a known weakness.  Games after the time limit are omitted: the seconds count for each part, game and
table size.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from itertools import chain, product
from typing import Any

import numpy as np

from benchmarks.analysis import calibration, games
from benchmarks.harness import Job, Section, Table, count, exit_on_sigterm, parser, pieces, publish, run_all, say
from gangland.games import GAME_NAMES, game_named

PIECE = 5
"""The number of games in one job."""
Found = dict[tuple[str, int], list[Any]]
"""By game and seats, the results of a part."""


def run_parts(
    options: argparse.Namespace, play: Callable[..., Sequence[Any]], times: int = 1, sizes: Sequence[int] = (2, 3, 4)
) -> Found:
    """Run a function that plays games at every table size, and return its results; sizes without games are omitted.

    Args:
        times: a factor for the selected number of games.
    """
    by_size: Found = {}
    for game, seats in product(options.game or GAME_NAMES, options.seats or sizes):
        if seats in game_named(game).table_sizes:
            say(f"{play.__name__}: {game}, {seats} seats")
            until = time.monotonic() + options.seconds
            numbers = range(options.seed, options.seed + times * options.games)
            jobs = [
                Job((game, seats), play, (game, seats, numbers[part.start : part.stop], until))
                for part in pieces(len(numbers), PIECE)
            ]
            results = list(chain.from_iterable(run_all(jobs, options.cores)[game, seats]))
            if results:
                by_size[game, seats] = results
    return by_size


def calibrated(options: argparse.Namespace) -> Section:
    """Compare values with scores."""
    results = {size: np.concatenate(rows) for size, rows in run_parts(options, calibration.played).items()}
    return Section("calibration", tuple(calibration.tables(results)))


def of_house(options: argparse.Namespace) -> Section:
    """Rank bots by their costs and by their results."""
    accounts_by_size = run_parts(options, games.of_house, sizes=(2, 4))
    rated = run_parts(options, games.results, games.RATED, sizes=(2, 4))
    parts = [games.house_rows(each, rated[size]) for size, each in accounts_by_size.items()]
    columns = ("game", "seats", "bot", "games", "mu", "cost a game")
    rows = tuple([row for part, _ in parts for row in part])
    return Section(
        "house", (Table("house", "What decisions cost", columns, rows, " ".join(each for _, each in parts)),)
    )


def accounts(options: argparse.Namespace) -> Section:
    """Check that the sums of accounts are right, and that the mean of luck is 0."""
    rows = tuple([row for each in run_parts(options, games.at_random).values() for row in games.account_rows(each)])
    causes = ("luck", "hidden", "error", "error, absolute")
    columns = ("game", "seats", "games", "do not add up", "longest", "seat", *causes)
    return Section("account", (Table("account", "Means by cause, a game, in points", columns, rows),))


def errors(options: argparse.Namespace) -> Section:
    """Measure the reference's own error in games of different house bots."""
    rows = [
        row
        for (game, seats), each in run_parts(options, games.of_unlike).items()
        for row in games.error_rows(each, game, seats)
    ]
    columns = ("game", "seats", "options", "games", "error", "analysis, mean ms")
    title = "The reference's own error, a seat and game, in points"
    return Section("error", (Table("error", title, columns, tuple(rows)),))


def times(options: argparse.Namespace) -> Section:
    """Compare the time of analysis with that of boss games."""
    rows = tuple([games.time_row(each) for each in run_parts(options, games.of_boss, sizes=(2, 4)).values()])
    columns = ("game", "seats", "games", "play, median ms", "analysis, median ms", "analysis, most ms", "ratio")
    return Section("time", (Table("time", "CPU a game, all seats bosses", columns, rows),))


def planted(options: argparse.Namespace) -> Section:
    """Check whether the analysis names the weakness of a bot."""
    rows = tuple([games.planted_row(each) for each in run_parts(options, games.of_planted, sizes=(2,)).values()])
    columns = ("game", "seats", "games", "weakness", "first", "themes (points a game)")
    return Section("planted", (Table("planted", "A boss with one weakness against bosses", columns, rows),))


PARTS = {
    "calibration": calibrated,
    "house": of_house,
    "account": accounts,
    "error": errors,
    "time": times,
    "planted": planted,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the selected parts, and print the results."""
    line = parser("benchmarks.analysis", "Whether the analysis of games says what is so.", page="analysis.md")
    line.add_argument("--only", choices=PARTS, action="append", help="this part; may be given again")
    line.add_argument("--game", choices=GAME_NAMES, action="append", help="this game only")
    line.add_argument("--seats", type=int, choices=(2, 3, 4), action="append", help="so many seats only")
    line.add_argument("--games", type=count, default=100, help="games of each table size, at most (100)")
    line.add_argument("--seconds", type=count, default=600, help="time for each table size (600)")
    line.add_argument("--cores", type=count, default=1, help="processes (1)")
    line.add_argument("--seed", type=int, default=0, help="the number of the first game (0)")
    options = line.parse_args(arguments)
    publish(options, [PARTS[part](options) for part in options.only or PARTS])


if __name__ == "__main__":
    exit_on_sigterm()
    main()

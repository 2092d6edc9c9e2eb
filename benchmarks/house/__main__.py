"""Measure the strength of the house bots, and print the tables of benchmarks/results/house-bots.md.

The same number of blocks gives the same strengths on any number of cores.  In the last table the
bosses play sensible bots in the jail.

    python -m benchmarks.house [--blocks N] [--matches N] [--only TABLE] [--json | --markdown | --write]
"""

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.evidence.stats import Interval, give_or_take
from benchmarks.harness import Row, Section, Table, count, exit_on_sigterm, parser, publish, run_all
from benchmarks.house.strength import Block, Met, Standing, jobs, mean_over, standings
from benchmarks.matches import BLOCKS, house_bots, one_match
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.local.processes import Tables
from gangland_ladder.matches.judging import judge
from gangland_ladder.matches.referee import play_match
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool

FULL = 100
"""The blocks for each pair; a table of three plays a third of this number, a table of four a sixth."""
WORDS = {2: "two", 3: "three", 4: "four"}
SIZES = tuple((name, seats) for name in GAME_NAMES for seats in game_named(name).table_sizes)
"""Every game and table size."""
JAILED = "jailed"
"""The key of the last table."""


def strength_table(game: str, seats: int, blocks_of_pairs: int, workers: int) -> Table:
    """Play all tables of a size and return the bots in the order of their strength."""
    blocks = max(2, blocks_of_pairs * 2 // (seats * (seats - 1)))
    by_table: dict[Met, list[Block]] = {
        met: [block for part in parts for block in part]
        for met, parts in run_all(jobs(game, seats, blocks), workers).items()
    }
    ranked = standings(game, seats, by_table)
    names = [each.bot for each in ranked] if seats == 2 else []
    columns = ("bot", "wins", "mean place", "sure", *(f"against {name}" for name in names))
    title = f"{game_named(game).title} at {seats} seats"
    finding = (
        f"{blocks} blocks at each of {len(by_table)} tables, {blocks * seats * len(by_table):,} games. An even share is"
        f" {1 / seats:.0%} and place {(seats + 1) / 2:.1f}. `sure`: the interval is apart from the next bot's."
    )
    return Table(_key(game, seats), title, columns, tuple(_rows(ranked, names)), finding)


def _key(game: str, seats: int) -> str:
    return f"{game}-{WORDS[seats]}"


def _rows(ranked: Sequence[Standing], names: Sequence[str]) -> Iterator[Row]:
    for strength, below in zip(ranked, [*ranked[1:], None], strict=True):
        sure = None if below is None else strength.place.high < below.place.low
        cells = [percent(strength.against[name]) if name != strength.bot else "" for name in names]
        yield (f"{strength.bot}_gang", percent(strength.wins), give_or_take(strength.place, 2), sure, *cells)


@dataclass(frozen=True, slots=True)
class Jailed:
    """One match: the boss's share of wins by block, the CPU of each of its jails on average, and faults."""

    wins: tuple[float, ...]
    cpu_s: float
    faults: int


def play_jailed(pool: Pool, job: Any, codes: dict[str, bytes]) -> Jailed:
    """Play a match in a table's process and return its relevant figures."""
    result = play_match(job, codes, pool=pool)
    seats = len(job.seats)
    wins, faults = [0.0] * len(job.blocks), 0
    for game in judge(job, result).games:
        winners = game.outcome.winners
        wins[game.record.block] += (game.record.seating.index(0) in winners) / len(winners) / seats
        faults += len(game.record.faults)
    return Jailed(tuple(wins), result.cpu_s[0] / seats, faults)


def jailed_table(matches: int, sizes: Sequence[tuple[str, int]] = SIZES) -> Table:
    """Return the results of the bosses in the jail against sensible bots, in a number of matches at each table size."""
    with Tables() as at_tables:
        rows = tuple([_jailed_row(name, seats, at_tables, matches) for name, seats in sizes])
    bank = Limits.plain(BLOCKS).bank_cpu_s
    finding = (
        f"A jail plays {BLOCKS} games and has {bank:.0f} s of CPU in its bank. CPU differs from machine to machine."
    )
    columns = ("game", "seats", "games", "wins of the boss", "even share", "CPU a jail", "of the bank", "faults")
    return Table(JAILED, "The boss against sensible bots in the jail", columns, rows, finding)


def _jailed_row(name: str, seats: int, at_tables: Tables, matches: int) -> Row:
    sources = {bot.name: bot.source for bot in house_bots(name)}
    table = [sources["boss_gang"], *[sources["sensible_gang"]] * (seats - 1)]
    calls = [one_match(name, table, number=number, seed=11) for number in range(1, matches + 1)]
    played: list[Jailed] = list(at_tables.run(play_jailed, calls))
    cpu_s = median([match.cpu_s for match in played])
    return (
        *(game_named(name).title, seats, matches * BLOCKS * seats),
        percent(mean_over([[share for match in played for share in match.wins]])),
        *(f"{1 / seats:.0%}", f"{cpu_s:.2f} s", f"{cpu_s / Limits.plain(BLOCKS).bank_cpu_s:.1%}"),
        sum([match.faults for match in played]),
    )


def percent(share: Interval) -> str:
    """Return a share with half its interval."""
    return f"{100 * share.value:.1f} ± {100 * share.reach:.1f}%"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, count and print."""
    line = parser("benchmarks.house", "How strong the house bots are.", page="house-bots.md")
    line.add_argument("--blocks", type=count, default=FULL, help=f"blocks of each pair ({FULL})")
    line.add_argument("--matches", type=count, default=6, help="jailed matches at each table size (6)")
    line.add_argument("--workers", type=count, default=os.cpu_count() or 1, help="processes (one a core)")
    keys = [*(_key(*size) for size in SIZES), JAILED]
    line.add_argument("--only", choices=keys, metavar="TABLE", help=f"one table: {', '.join(keys)}")
    options = line.parse_args(arguments)
    publish(options, [Section(table.key, (table,), dated=False) for table in _tables(options)])


def _tables(options: argparse.Namespace) -> Iterator[Table]:
    for size in SIZES:
        if options.only in (None, _key(*size)):
            yield strength_table(*size, options.blocks, options.workers)
    if options.only in (None, JAILED):
        yield jailed_table(options.matches)


if __name__ == "__main__":
    exit_on_sigterm()
    main()

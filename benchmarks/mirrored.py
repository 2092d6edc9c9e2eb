"""How many games fewer do mirrored blocks need?  Told by the intervals of the standings themselves.

    python -m benchmarks.mirrored                             print the table: some five minutes
    python -m benchmarks.mirrored --blocks 90                 a short form
    python -m benchmarks.mirrored --into benchmarks/results/standings.md    write it into that page, between its marks

A field of bots plays the same tables twice, with equally many games: in blocks, and in games each with a
seed and a seating of its own, which then are the observations.  The standings are fitted to both.  Strengths
mean the same in both (the share of games in which one bot is ahead of another), so the variances of their
differences can be compared: half the variance means half the games for the same interval.
benchmarks/results/fairness.md compares bots two by two, by their mean places.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.evidence.jobs import Job, pieces, run_all
from benchmarks.evidence.players import Player, play, seed_of
from benchmarks.evidence.stats import Interval
from benchmarks.evidence.tables import Row, Table, from_to
from benchmarks.report import put
from gangland.blocks import seating
from gangland.chance import SeededChance
from gangland.games import game_named
from gangland_ladder.rating.final_standings import BlockResult, FinalStandings, standings

BLOCKS = 480
PIECE = 20
GROUPS = 20
T_OF_GROUPS = 2.093
"""So many standard errors to each side hold 95% of Student's distribution with 19 degrees of freedom."""
VERSIONS, STYLES = "versions of one bot", "house bots"
FIELDS = {
    ("gangster-dice", VERSIONS): tuple(Player("cautious", slips / 100) for slips in (0, 10, 20, 30, 40)),
    ("gangster-dice", STYLES): tuple(Player(stem) for stem in ("bold", "cautious", "hoarding", "sensible")),
    ("gang-of-dice", VERSIONS): tuple(Player("closing", slips / 100) for slips in (0, 1, 2, 3, 4)),
    ("gang-of-dice", STYLES): tuple(Player(stem) for stem in ("bold", "cautious", "closing", "sensible")),
}
"""Who plays: versions of one bot that slip in so many of their decisions, and bots of several styles."""


@dataclass(frozen=True, slots=True)
class Where:
    """A field at a table size."""

    game: str
    field: str
    seats: int

    @property
    def bots(self) -> tuple[Player, ...]:
        """All who take part."""
        return FIELDS[self.game, self.field]

    @property
    def tables(self) -> list[tuple[int, ...]]:
        """Every table that they can make, as indexes of bots."""
        return list(combinations(range(len(self.bots)), self.seats))

    def blocks(self, of_all: int) -> int:
        """Return how many blocks each table plays if all play so many."""
        return max(2, round(of_all / len(self.tables)))


@dataclass(frozen=True, slots=True)
class Both:
    """What was played at one table, a list a block: its result, and those of as many games of their own."""

    blocks: list[BlockResult]
    alone: list[list[BlockResult]]


def everywhere_played() -> list[Where]:
    """Return every field at every table size."""
    return [Where(game, field, seats) for game, field in FIELDS for seats in game_named(game).table_sizes]


def jobs(blocks: int) -> list[Job]:
    """Return the work for about so many blocks of every field."""
    return [
        Job((where, table), play_both, (where, table, numbers))
        for where in everywhere_played()
        for table in where.tables
        for numbers in pieces(where.blocks(blocks), PIECE)
    ]


def play_both(where: Where, table: tuple[int, ...], blocks: range) -> Both:
    """Play these blocks of a table, and as many games with seeds and seatings of their own."""
    found = Both([], [])
    for block in blocks:
        words = (where.game, where.field, *table, block)
        sums = [Fraction(0)] * where.seats
        for rotation in range(where.seats):
            dice = SeededChance(seed_of("mirrored", *words))
            places = _places(where, table, seating(block, rotation, where.seats), dice, (*words, rotation))
            sums = [sum_ + place for sum_, place in zip(sums, places, strict=True)]
        found.blocks.append(BlockResult(table, tuple(each / where.seats for each in sums)))
        found.alone.append([_alone(where, table, (*words, "alone", game)) for game in range(where.seats)])
    return found


def _alone(where: Where, table: tuple[int, ...], words: tuple[object, ...]) -> BlockResult:
    order = list(range(where.seats))
    Random(seed_of("seats", *words)).shuffle(order)
    return BlockResult(table, tuple(_places(where, table, order, SeededChance(seed_of("dice", *words)), words)))


def _places(
    where: Where, table: Sequence[int], order: Sequence[int], chance: SeededChance, words: tuple[object, ...]
) -> list[Fraction]:
    """Play one game and return the mean places, one a bot of the table."""
    game = game_named(where.game)
    seated = [where.bots[table[index]].sit(game, seed_of("own", *words, index)) for index in order]
    by_seat = play(game, seated, {}, chance).outcome.mean_places()
    return [by_seat[order.index(index)] for index in range(where.seats)]


def noise(found: FinalStandings) -> float:
    """Return the mean variance of the difference of two strengths."""
    pairs = list(combinations(range(len(found.counts.entries)), 2))
    return sum(float(found.fitted.variance[pair]) for pair in pairs) / len(pairs)


def fitted(tables: Sequence[Both], without: int = -1) -> tuple[FinalStandings, FinalStandings]:
    """Return the standings of the blocks and of the separate games, less every `GROUPS`-th block from one on."""
    kept = [(table, i) for table in tables for i in range(len(table.blocks)) if i % GROUPS != without]
    alone = (game for table, i in kept for game in table.alone[i])
    return standings(table.blocks[i] for table, i in kept), standings(alone)


def games_in_blocks(tables: Sequence[Both]) -> Interval:
    """Return how many games in blocks give the intervals of one separate game.

    The interval is the jackknife's, by groups of blocks, on the scale of logarithms.
    """
    groups = range(min(GROUPS, len(tables[0].blocks)))
    value, *rest = (log(_ratio(*fitted(tables, without))) for without in (-1, *groups))
    mean = sum(rest) / len(rest)
    reach = T_OF_GROUPS * sqrt((len(rest) - 1) / len(rest) * sum((each - mean) ** 2 for each in rest))
    return Interval(exp(value), exp(value - reach), exp(value + reach))


def _ratio(in_blocks: FinalStandings, alone: FinalStandings) -> float:
    return noise(in_blocks) / noise(alone)


def _separated(found: FinalStandings) -> int:
    return sum(found.separated(*pair) for pair in combinations(found.counts.entries, 2))


def mirrored_table(found: Mapping[Any, list[Both]]) -> Table:
    """Return the comparison, a row a field and table size.

    Args:
        found: by (where, table).
    """
    everywhere: dict[Where, list[Both]] = {}
    for where in dict.fromkeys(where for where, _ in found):
        parts = [found[where, table] for table in where.tables]
        everywhere[where] = [
            Both([block for part in each for block in part.blocks], [games for part in each for games in part.alone])
            for each in parts
        ]
    compared = {where: games_in_blocks(tables) for where, tables in everywhere.items()}
    rows = tuple(_row(where, tables, compared[where]) for where, tables in everywhere.items())
    fewer, more = sum(each.high < 1 for each in compared.values()), sum(each.low > 1 for each in compared.values())
    columns = (
        "game",
        "field",
        "seats",
        "games each way",
        "games in blocks for one separate game",
        "separated in blocks",
        "separated by separate games",
    )
    finding = (
        f"Of {len(rows)} fields blocks need fewer games beyond doubt (the interval below 1) in {fewer}, more in "
        f"{more}; in {len(rows) - fewer - more} the interval holds 1."
    )
    return Table("mirrored", "Mirrored blocks and separate games", columns, rows, finding)


def _row(where: Where, tables: Sequence[Both], ratio: Interval) -> Row:
    in_blocks, alone = fitted(tables)
    pairs = len(list(combinations(where.bots, 2)))
    return (
        game_named(where.game).title,
        where.field,
        where.seats,
        sum(len(table.blocks) for table in tables) * where.seats,
        from_to(ratio),
        f"{_separated(in_blocks)} of {pairs}",
        f"{_separated(alone)} of {pairs}",
    )


def main(given: Sequence[str] | None = None) -> None:
    """Play, fit and print, or write into a page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mirrored", description="What mirrored blocks save.")
    parser.add_argument("--blocks", type=int, default=BLOCKS, help=f"of each field, about ({BLOCKS})")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (one a core)")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="put the table into a page, between its marks")
    chosen = parser.parse_args(given)
    if chosen.blocks < 1 or chosen.workers < 1:
        parser.error("at least one block and one process are needed")
    found = mirrored_table(run_all(jobs(chosen.blocks), chosen.workers))
    if chosen.into:
        put(chosen.into, found.key, found.as_markdown())
    else:
        print(found.as_text())


if __name__ == "__main__":
    main()

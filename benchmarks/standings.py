"""Do the standings keep their word?  Simulated bots of known strength, and the time that 200 bots take.

    python -m benchmarks.standings                             print the tables: some five minutes
    python -m benchmarks.standings --tournaments 50            a short form
    python -m benchmarks.standings --into docs/standings.md    write them into that page, between its marks

The simulation knows nothing of the fit's model.  In each game of a block a bot shows its strength, the
luck of its seat, which is the same in all rotations, and luck of the moment; who shows most is first.
The same number of tournaments gives the same figures, time aside.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

import numpy as np

from benchmarks.evidence.tables import Row, Table
from benchmarks.report import put
from gangland_ladder.final_standings import BlockResult, FinalStandings, standings

TOURNAMENTS = 1_000
TRUTH_BLOCKS = 20_000
"""So many blocks of a field are enough to take the share that one bot takes from another for the true one."""
ALIKE, APART, LEADING = "all equal", "even steps", "two equal leaders"


@dataclass(frozen=True, slots=True)
class Field:
    """A tournament to be simulated many times.

    Attributes:
        blocks: at each table.
        strengths: in a word.
        moment: how much luck of the moment weighs, that of the seat weighing 1; near 0 equal bots split their blocks.
        tables: at how many tables they meet, as even as can be; all of them if None.
    """

    bots: int
    seats: int
    blocks: int
    strengths: str
    moment: float
    tables: int | None = None

    @property
    def true(self) -> np.ndarray:
        """The strengths, best first."""
        steps = np.arange(self.bots, 0, -1) * 0.25
        return {ALIKE: steps * 0, APART: steps, LEADING: np.minimum(steps, steps[min(1, self.bots - 1)])}[
            self.strengths
        ]

    def met(self) -> list[tuple[int, ...]]:
        """Return the tables: one by one the one whose bots sat least, of those the one whose pairs met least."""
        left = list(combinations(range(self.bots), self.seats))
        if self.tables is None:
            return left
        Random(self.bots).shuffle(left)
        chosen: list[tuple[int, ...]] = []
        sat: Counter[int] = Counter()
        met: Counter[tuple[int, ...]] = Counter()
        for _ in range(min(self.tables, len(left))):
            table = min(left, key=lambda t: (sum(sat[bot] for bot in t), sum(met[pair] for pair in combinations(t, 2))))
            left.remove(table)
            chosen.append(table)
            sat.update(table)
            met.update(combinations(table, 2))
        return chosen


FIELDS = (
    Field(2, 2, 12, ALIKE, 0.3),
    Field(2, 2, 12, ALIKE, 2.0),
    Field(2, 2, 48, APART, 2.0),
    Field(4, 2, 12, ALIKE, 2.0),
    Field(6, 2, 12, LEADING, 1.0),
    Field(10, 2, 1, ALIKE, 2.0),
    Field(10, 2, 12, ALIKE, 0.3),
    Field(10, 2, 12, ALIKE, 2.0),
    Field(10, 2, 12, APART, 1.0),
    Field(20, 2, 4, LEADING, 1.0),
    Field(20, 2, 4, ALIKE, 1.0, tables=60),
    Field(3, 3, 12, ALIKE, 2.0),
    Field(6, 3, 12, ALIKE, 0.3),
    Field(6, 3, 12, APART, 1.0),
    Field(12, 3, 12, ALIKE, 1.0, tables=22),
    Field(4, 4, 12, ALIKE, 2.0),
    Field(6, 4, 12, ALIKE, 2.0),
    Field(6, 4, 12, LEADING, 1.0),
    Field(12, 4, 12, ALIKE, 1.0, tables=15),
)
SETTLING = (
    Field(6, 2, 12, APART, 1.0),
    Field(10, 2, 12, APART, 1.0),
    Field(6, 3, 12, APART, 1.0),
    Field(6, 4, 12, APART, 1.0),
)
FIRST = 3


def played(field: Field, rng: np.random.Generator, blocks: int | None = None) -> Iterator[BlockResult]:
    """Play a tournament: yield its blocks."""
    shape = (blocks or field.blocks, field.seats)
    for table in field.met():
        strength = field.true[list(table)]
        luck, sums = rng.gumbel(size=shape), np.zeros(shape, dtype=int)
        for rotation in range(field.seats):
            shown = strength + np.roll(luck, rotation, axis=1) + field.moment * rng.gumbel(size=shape)
            sums += (-shown).argsort(axis=1).argsort(axis=1)
        for places in sums.tolist():
            yield BlockResult(table, tuple([Fraction(place, field.seats) + 1 for place in places]))


@dataclass(frozen=True, slots=True)
class Kept:
    """What one simulated tournament kept of its word; shares are of its pairs."""

    ranges: bool
    expected: float
    told_apart: float


def keeps(found: FinalStandings, field: Field, truth: FinalStandings) -> Kept:
    """Hold one tournament's standings against what is true."""
    true = field.true
    above, below = (true[:, None] < true[None, :]).sum(axis=1), (true[:, None] > true[None, :]).sum(axis=1)
    ranges = all(
        row.rank_low <= 1 + above[row.entry] and row.rank_high >= field.bots - below[row.entry] for row in found.rows
    )
    pairs = list(combinations(range(field.bots), 2))
    held = 0
    for pair in pairs:
        share, real = found.expected(*pair), truth.expected(*pair)
        value = 0.5 if true[pair[0]] == true[pair[1]] else real.value if real else 0.5
        held += share is None or share.low <= value <= share.high
    return Kept(ranges, held / len(pairs), sum(found.told_apart(*pair) for pair in pairs) / len(pairs))


def calibration(fields: Sequence[Field], tournaments: int) -> Table:
    """Return how often ranges and intervals hold, a row a field."""
    rows: list[Row] = []
    ranges: list[float] = []
    for number, field in enumerate(fields):
        rng = np.random.default_rng([number, 5])
        everyone = range(field.bots)
        truth = standings(played(field, rng, max(field.blocks, TRUTH_BLOCKS // len(field.met()))), everyone)
        kept = [keeps(standings(played(field, rng), everyone), field, truth) for _ in range(tournaments)]
        ranges.append(float(np.mean([each.ranges for each in kept])))
        shares = (
            ranges[-1],
            *(float(np.mean([getattr(k, name) for k in kept])) for name in ("expected", "told_apart")),
        )
        rows.append((*_described(field), *(f"{share:.1%}" for share in shares)))
        print(f"{number + 1} of {len(fields)} fields", file=sys.stderr, flush=True)
    margin = 1.96 * sqrt(0.95 * 0.05 / tournaments)
    finding = (
        f"{tournaments:,} tournaments a row, so that a true 95% may show as {0.95 - margin:.1%} to "
        f"{min(1.0, 0.95 + margin):.1%}. All ranges of a tournament hold in {min(ranges):.1%} of them or more."
    )
    columns = (
        *_DESCRIBED,
        "all rank ranges hold (stated: 95%)",
        "intervals of one share hold (95%)",
        "pairs told apart",
    )
    return Table("calibration", "Do ranges hold the true order?", columns, tuple(rows), finding)


_DESCRIBED = ("bots", "seats", "tables", "blocks a table", "strengths", "luck of the moment")


def _described(field: Field) -> Row:
    return (field.bots, field.seats, len(field.met()), field.blocks, field.strengths, f"{field.moment:.1f}")


def settling(fields: Sequence[Field], tournaments: int) -> Table:
    """Return how often the games said to be needed are enough, a row a field."""
    rows: list[Row] = []
    for number, field in enumerate(fields):
        rng = np.random.default_rng([number, 6])
        said, enough, already = [], 0, 0
        games_a_block = len(field.met()) * field.seats
        for _ in range(tournaments):
            needed = standings(played(field, rng)).top(FIRST).games_needed
            if needed == 0:
                already += 1
            elif needed is not None and needed < 50 * games_a_block * field.blocks:
                said.append(needed)
                more = field.blocks + -(-needed // games_a_block)
                enough += standings(played(field, rng, more)).top(FIRST).settled
        share = f"{enough / len(said):.0%}" if said else ""
        typical = int(median(said)) if said else 0
        rows.append((*_described(field), games_a_block * field.blocks, f"{already / tournaments:.0%}", typical, share))
    columns = (*_DESCRIBED, "games", f"first {FIRST} settled", "games needed, median", "settled by then")
    finding = (
        "The estimate takes measured differences for true ones, and is asked while they are not yet clear: a rough one."
    )
    return Table("settling", "Games needed", columns, tuple(rows), finding)


def times(bots: int = 200, rounds: int = 5) -> Table:
    """Return what the standings of so many bots take of CPU time."""
    rows: list[Row] = []
    for field in (
        Field(bots, 2, 12, APART, 1.0),
        Field(bots, 3, 12, APART, 1.0, tables=bots * 4),
        Field(bots, 4, 12, APART, 1.0, tables=bots * 4),
    ):
        blocks = list(_at_random(field))
        Random(1).shuffle(blocks)
        taken, answers = [], set()
        for number in range(rounds):
            Random(number).shuffle(blocks)
            start = process_time()
            answers.add(str(standings(blocks).to_json()))
            taken.append(process_time() - start)
        rows.append((bots, field.seats, len(blocks), f"{median(taken):.2f}", "yes" if len(answers) == 1 else "**no**"))
    columns = ("bots", "seats", "blocks", "CPU seconds, median", "the same in every order")
    return Table("time", "Time", columns, tuple(rows), "Blocks in memory, to rounded figures for JSON.")


def _at_random(field: Field) -> Iterator[BlockResult]:
    """Yield blocks at all tables of two, or at tables drawn at random; the places are of little matter here."""
    random, strength, seats = Random(9), field.true, range(field.seats)
    tables: list[tuple[int, ...]] = list(combinations(range(field.bots), 2)) if field.seats == 2 else []
    while len(tables) < (field.tables or 0):
        tables.append(tuple(random.sample(range(field.bots), field.seats)))
    for table in tables:
        for _ in range(field.blocks):
            sums = [Fraction(0)] * field.seats
            for _ in range(field.seats):
                for place, index in enumerate(sorted(seats, key=lambda i: random.random() - strength[table[i]] / 20)):
                    sums[index] += place + 1
            yield BlockResult(table, tuple([each / field.seats for each in sums]))


def main(given: Sequence[str] | None = None) -> None:
    """Simulate and print, or write into a page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.standings", description="Whether standings hold.")
    parser.add_argument("--tournaments", type=int, default=TOURNAMENTS, help=f"of each field ({TOURNAMENTS})")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="put the tables into a page, between its marks")
    chosen = parser.parse_args(given)
    if chosen.tournaments < 1:
        parser.error(f"a number of tournaments from 1, not {chosen.tournaments}")
    found = (
        calibration(FIELDS, chosen.tournaments),
        settling(SETTLING, max(1, chosen.tournaments // 5)),
        times(),
    )
    for table in found:
        if chosen.into:
            put(chosen.into, table.key, table.as_markdown())
        else:
            print(table.as_text(), end="\n\n")


if __name__ == "__main__":
    main()

"""Do the standings keep their word?  Simulated bots of known strength, and the time that 200 bots take.

    python -m benchmarks.standings                             print the tables: some five minutes
    python -m benchmarks.standings --tournaments 50            a short form
    python -m benchmarks.standings --into benchmarks/results/standings.md    write them into that page

The simulation knows nothing of the fit's model.  In each game of a block a bot shows its strength, the
luck of its seat, which is the same in all rotations, and luck of the moment; who shows most is first.
Strengths are drawn anew for each tournament, no two alike.  The same number of tournaments gives the same
figures, time aside.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

import numpy as np

from benchmarks.evidence.tables import Row, Table
from benchmarks.report import put
from gangland_ladder.pairing.tables import Entrant
from gangland_ladder.rating.final_standings import BlockResult, FinalStandings, standings
from gangland_ladder.tournaments.settling_rounds import Terms, next_tables, open_pairs

TOURNAMENTS = 200
HARD = 50 * 49 // 2
"""Of a field with so many tables a tenth of the tournaments is simulated."""
CLOSE, DRAWN, STEPS, ALMOST = "one strong, one hopeless, the rest close", "drawn", "even steps", "almost equal"


@dataclass(frozen=True, slots=True)
class Field:
    """A tournament to be simulated many times.

    Attributes:
        blocks: at each table.
        strengths: in words.
        moment: how much luck of the moment weighs, that of the seat weighing 1; near 0 equal bots split their blocks.
        tables: at how many tables they meet, as even as can be; all of them if None.
    """

    bots: int
    seats: int
    blocks: int
    strengths: str = CLOSE
    moment: float = 1.0
    tables: int | None = None

    def true(self, rng: np.random.Generator) -> np.ndarray:
        """Draw the strengths of a tournament; no two are equal."""
        if self.strengths == STEPS:
            return np.arange(self.bots, 0, -1) * 0.25
        strength = rng.normal(0.0, {CLOSE: 0.15, DRAWN: 1.0, ALMOST: 0.02}[self.strengths], self.bots)
        if self.strengths == CLOSE:
            strength[0], strength[-1] = 1.5, -4.0
        return strength

    def ahead(self, gap: np.ndarray) -> np.ndarray:
        """Return in what share of games a bot is ahead of another that is weaker by a gap."""
        share = (np.arange(2_000) + 0.5) / 2_000
        luck = np.log(share / (1 - share))
        found: np.ndarray = (1 / (1 + np.exp(-(gap[..., None] + luck) / self.moment))).mean(axis=-1)
        return found

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
    *(Field(bots, 2, blocks) for bots in (4, 8, 50) for blocks in (1, 2, 12, 60)),
    Field(8, 2, 12, CLOSE, 0.3),
    Field(8, 2, 12, CLOSE, 3.0),
    Field(2, 2, 12, DRAWN),
    Field(8, 2, 12, DRAWN),
    Field(8, 2, 12, STEPS),
    Field(8, 2, 12, ALMOST),
    Field(20, 2, 4, DRAWN, tables=60),
    Field(6, 3, 12),
    Field(12, 3, 12, DRAWN, tables=22),
    Field(6, 4, 12),
    Field(12, 4, 12, DRAWN, tables=15),
)
SETTLING = (
    Field(6, 2, 12, STEPS),
    Field(10, 2, 12, STEPS),
    Field(6, 3, 12, STEPS),
    Field(6, 4, 12, STEPS),
)
FIRST = 3
TERMS = Terms(1, 5, 120)
ROUNDS = (Field(8, 2, 12, DRAWN), Field(8, 2, 2, DRAWN), Field(8, 2, 12, ALMOST))


def played(
    field: Field,
    true: np.ndarray,
    rng: np.random.Generator,
    blocks: int | None = None,
    tables: Sequence[tuple[int, ...]] | None = None,
) -> Iterator[BlockResult]:
    """Play a tournament of bots of these strengths: yield its blocks."""
    shape = (blocks or field.blocks, field.seats)
    for table in field.met() if tables is None else tables:
        strength = true[list(table)]
        luck, sums = rng.gumbel(size=shape), np.zeros(shape, dtype=int)
        for rotation in range(field.seats):
            shown = strength + np.roll(luck, rotation, axis=1) + field.moment * rng.gumbel(size=shape)
            sums += (-shown).argsort(axis=1).argsort(axis=1)
        for places in sums.tolist():
            yield BlockResult(table, tuple([Fraction(place, field.seats) + 1 for place in places]))


@dataclass(frozen=True, slots=True)
class Kept:
    """What one simulated tournament kept of its word.

    Attributes:
        said, held: with what probability its ranges were said to hold, and the share of them that did.
        shares: the share of score intervals that held.
        spared: whether the range of the weakest bot leaves out rank 1.
        monotone: whether nobody with less had a better range.
        separated, wrong: of how many pairs the order was said, and of how many of them wrongly.
        best, is_best: how probable the first is said to be the best, and whether it is.
    """

    said: float
    held: float
    shares: float
    spared: bool
    monotone: bool
    separated: int
    wrong: int
    best: float
    is_best: bool


def keeps(found: FinalStandings, field: Field, true: np.ndarray) -> Kept:
    """Hold one tournament's standings against what is true."""
    rank = 1 + (true[:, None] < true[None, :]).sum(axis=1)
    share = (field.ahead(true[:, None] - true[None, :]).sum(axis=1) - 0.5) / (field.bots - 1)
    rows, ahead = found.rows, found.ranks.ahead
    scores = [row.against_all for row in rows]
    first = [row for row in rows if row.rank == 1]
    return Kept(
        said=float(np.mean([row.holds for row in rows])),
        held=float(np.mean([row.rank_low <= rank[row.entry] <= row.rank_high for row in rows])),
        shares=float(np.mean([s.low <= share[r.entry] <= s.high for s, r in zip(scores, rows, strict=True) if s])),
        spared=next(row.rank_low for row in rows if row.entry == int(true.argmin())) > 1,
        monotone=field.tables is not None
        or all(one.rank_low <= two.rank_low and one.rank_high <= two.rank_high for one, two in pairwise(rows)),
        separated=int(ahead.sum()),
        wrong=int((ahead & (true[:, None] < true[None, :])).sum()),
        best=float(np.mean([row.best or 0.0 for row in first])),
        is_best=first[0].entry == int(true.argmax()),
    )


def calibration(fields: Sequence[Field], tournaments: int) -> Table:
    """Return what was said and what came true, a row a field."""
    rows: list[Row] = []
    off: list[float] = []
    for number, field in enumerate(fields):
        rng, kept = np.random.default_rng([0, 5]), []
        for _ in range(tournaments if len(field.met()) < HARD else max(1, tournaments // 10)):
            true = field.true(rng)
            kept.append(keeps(standings(played(field, true, rng), range(field.bots)), field, true))
        said, held, shares, spared, monotone, best, is_best = (
            float(np.mean([getattr(each, name) for each in kept]))
            for name in ("said", "held", "shares", "spared", "monotone", "best", "is_best")
        )
        off.append(abs(said - held))
        separated, wrong = sum(each.separated for each in kept), sum(each.wrong for each in kept)
        pairs = len(kept) * field.bots * (field.bots - 1) / 2
        figures = (said, held, shares, spared, monotone, separated / pairs, wrong / max(1, separated), best, is_best)
        rows.append((*_described(field), *(f"{figure:.1%}" for figure in figures)))
        print(f"{number + 1} of {len(fields)} fields", file=sys.stderr, flush=True)
    finding = (
        f"{tournaments:,} tournaments a row, {max(1, tournaments // 10):,} where {HARD:,} pairs meet. What ranges are "
        f"said to hold and what they held differ by {max(off):.1%} at most."
    )
    columns = (
        *_DESCRIBED,
        "ranges: said",
        "ranges: held",
        "score intervals held (95%)",
        "the last bot's range leaves out rank 1",
        "ranges monotone in score",
        "pairs separated",
        "of them wrongly",
        "the first is best: said",
        "was",
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
            true = field.true(rng)
            needed = standings(played(field, true, rng)).top(FIRST).games_needed
            if needed == 0:
                already += 1
            elif needed is not None and needed < 50 * games_a_block * field.blocks:
                said.append(needed)
                more = field.blocks + -(-needed // games_a_block)
                enough += standings(played(field, true, rng, more)).top(FIRST).settled
        share = f"{enough / len(said):.0%}" if said else ""
        typical = int(median(said)) if said else 0
        rows.append((*_described(field), games_a_block * field.blocks, f"{already / tournaments:.0%}", typical, share))
    columns = (*_DESCRIBED, "games", f"first {FIRST} settled", "games needed, median", "settled by then")
    finding = (
        "The estimate takes measured differences for true ones, and is asked while they are not yet clear: a rough one."
    )
    return Table("settling", "Games needed", columns, tuple(rows), finding)


@dataclass(frozen=True, slots=True)
class Settled:
    """What one simulated settling came to.

    Attributes:
        order: of how many pairs of the first so many and those below the order was known at the end.
        pairs: how many such pairs there were.
        wrong: of how many of them wrongly.
        over: whether it was of all.
        more: blocks that were played for it.
        rounds: how often it was played on.
    """

    order: int
    pairs: int
    wrong: int
    over: bool
    more: int
    rounds: int


def settle(field: Field, terms: Terms, true: np.ndarray, rng: np.random.Generator) -> Settled:
    """Play a tournament and settle its first places by the rule that a site follows."""
    entrants = [Entrant(bot) for bot in range(field.bots)]
    results, rounds, more = list(played(field, true, rng)), 0, 0
    while True:
        found = standings(results, range(field.bots))
        given = {"blocks": field.blocks, "seats": field.seats, "played": rounds}
        tables = next_tables(found, terms, entrants=entrants, **given)
        if not tables:
            break
        results += played(field, true, rng, tables=tables)
        rounds, more = rounds + 1, more + len(tables) * field.blocks
    order = [row.entry for row in found.rows]
    pairs = {(one, two) for at, one in enumerate(order[: terms.first]) for two in order[at + 1 :]}
    known = pairs.difference(open_pairs(found, terms, field.blocks))
    wrong = sum(bool(true[one] < true[two]) for one, two in known)
    return Settled(len(known), len(pairs), wrong, known == pairs, more, rounds)


def rounds(fields: Sequence[Field], tournaments: int, terms: Terms = TERMS) -> Table:
    """Return what settling comes to, a row a field."""
    rows: list[Row] = []
    for number, field in enumerate(fields):
        rng = np.random.default_rng([0, 7])
        found = [settle(field, terms, field.true(rng), rng) for _ in range(tournaments)]
        known, wrong = sum(each.order for each in found), sum(each.wrong for each in found)
        rows.append(
            (
                *_described(field),
                f"{np.mean([each.over for each in found]):.0%}",
                f"{known / sum(each.pairs for each in found):.0%}",
                f"{np.mean([each.rounds for each in found]):.1f}",
                f"{np.mean([each.more for each in found]):.0f}",
                f"{wrong / max(1, known):.2%}",
                f"{np.mean([each.wrong > 0 for each in found]):.1%}",
            )
        )
        print(f"settling: {number + 1} of {len(fields)} fields", file=sys.stderr, flush=True)
    columns = (
        *_DESCRIBED,
        "all settled",
        "pairs settled",
        "rounds, mean",
        "blocks more, mean",
        "of them in the wrong order",
        "tournaments with such a pair",
    )
    finding = (
        f"{tournaments:,} tournaments a row; settling the first {terms.first}, at most {terms.blocks} blocks "
        f"and {terms.percent}% error for a pair."
    )
    return Table("rounds", "Settling", columns, tuple(rows), finding)


def times(bots: int = 200, rounds: int = 3) -> Table:
    """Return what the standings of so many bots take of CPU time."""
    rows: list[Row] = []
    for field in (
        Field(bots, 2, 12, STEPS, 1.0),
        Field(bots, 3, 12, STEPS, 1.0, tables=bots * 4),
        Field(bots, 4, 12, STEPS, 1.0, tables=bots * 4),
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
    random, seats = Random(9), range(field.seats)
    strength = field.true(np.random.default_rng(9))
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
        rounds(ROUNDS, max(1, chosen.tournaments // 10)),
        times(),
    )
    for table in found:
        if chosen.into:
            put(chosen.into, table.key, table.as_markdown())
        else:
            print(table.as_text(), end="\n\n")


if __name__ == "__main__":
    main()

"""Does `gangland duel` keep its error rates, and what does it save?  Told by duels whose truth is known.

    python -m benchmarks.duel                      print the tables: some five minutes
    python -m benchmarks.duel --runs 100           a short form
    python -m benchmarks.duel --into benchmarks/results/duel.md  write them into that page, between its marks

Three kinds of duels are run again and again.  By scores: blocks are drawn from a distribution, at two seats.
By strengths: at three and four seats a bot shows its strength, the luck of its seat, which is the same in all
rotations and for both sides, and luck of the moment; who shows most is first.  By bots: house bots, weakened by
slips, play real blocks, and the blocks of a duel are drawn from these.  The same number of runs gives the same
figures.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from benchmarks.evidence.jobs import Job, pieces, run_all
from benchmarks.evidence.players import ANY, Player, play, seed_of
from benchmarks.evidence.tables import Row, Table
from benchmarks.report import put
from gangland.blocks import seating
from gangland.chance import SeededChance
from gangland.games import game_named
from gangland_ladder.rating.duel.design import MATCH_BLOCKS, blocks_of, sittings
from gangland_ladder.rating.duel.elo import score_of
from gangland_ladder.rating.duel.measured import DuelBlock, measured
from gangland_ladder.rating.duel.sequential import Hypotheses, SequentialTest, Verdict

RUNS = 600
MOST = 10_000
POOL = 600
PIECE = 60
HYPOTHESES = Hypotheses()
EVEN, WORTH, PLANTED = 0.5, score_of(HYPOTHESES.elo1), 0.55
Drawing = Callable[[np.random.Generator, int], list[DuelBlock]]
"""Draws so many blocks."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How one duel ended, and whether its interval holds the true score; None if nobody asked."""

    verdict: Verdict
    blocks: int
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Shape:
    """How games of two seats come out: so many ties among them, and so many blocks that luck alone splits."""

    name: str
    tied: float = 0.0
    split: float = 0.0

    def chances(self, score: float) -> np.ndarray:
        """Return how likely each block score 0, 1/4, 1/2, 3/4, 1 is if their mean is to be this."""
        won = 0.5 + (score - 0.5) / (1 - self.split) - self.tied / 2
        game = np.array([1 - won - self.tied, self.tied, won])
        return self.split * np.array([0.0, 0.0, 1.0, 0.0, 0.0]) + (1 - self.split) * np.convolve(game, game)


SHAPES = (
    Shape("each game by itself"),
    Shape("ties in 20% of games", tied=0.2),
    Shape("half of the blocks split", split=0.5),
    Shape("80% of the blocks split", split=0.8),
)


def drawn_by_scores(chances: np.ndarray) -> Drawing:
    """Return what draws blocks of two seats by the chance of each score."""
    kinds = [DuelBlock(2, 2 - Fraction(quarter, 4), 1 + Fraction(quarter, 4)) for quarter in range(5)]
    return lambda rng, count: [kinds[i] for i in rng.choice(5, size=count, p=chances)]


def drawn_by_strengths(seats: int, strength: float, moment: float = 1.0) -> Drawing:
    """Return what draws blocks of larger tables; see the head of this file."""

    def draw(rng: np.random.Generator, count: int) -> list[DuelBlock]:
        luck = rng.gumbel(size=(count, seats))
        sides = [_alone(rng, luck, each, moment) for each in (strength, -strength)]
        return [
            DuelBlock(seats, Fraction(int(new), seats), Fraction(int(old), seats))
            for new, old in zip(*sides, strict=True)
        ]

    return draw


def _alone(rng: np.random.Generator, luck: np.ndarray, strength: float, moment: float) -> np.ndarray:
    """Return the sum of places over the rotations, of one whose strength differs from all others' at the table."""
    count, seats = luck.shape
    sums = np.zeros(count, dtype=int)
    for rotation in range(seats):
        shown = np.roll(luck, rotation, axis=1) + moment * rng.gumbel(size=luck.shape)
        shown[:, 0] += strength
        sums += 1 + (shown[:, 1:] > shown[:, :1]).sum(axis=1)
    return sums


def drawn_from(pool: Sequence[DuelBlock]) -> Drawing:
    """Return what draws blocks from those that were played."""
    return lambda rng, count: [pool[i] for i in rng.integers(len(pool), size=count)]


def run(draw: Drawing, rng: np.random.Generator, truth: float | None = None) -> Ended:
    """Run one duel; with the truth, look whether its interval holds that."""
    test, blocks = SequentialTest(HYPOTHESES), list[DuelBlock]()
    while test.verdict is Verdict.OPEN and test.blocks < MOST:
        more = draw(rng, MATCH_BLOCKS)
        blocks += more
        test.add(block.score for block in more)
    found = None if truth is None else measured(blocks)
    holds = None if found is None or truth is None else found.score.low <= truth <= found.score.high
    return Ended(Verdict.UNDECIDED if test.verdict is Verdict.OPEN else test.verdict, test.blocks, holds)


def fixed_size(draw: Drawing, truth: float, rng: np.random.Generator, power: float = 1 - HYPOTHESES.beta) -> int:
    """Return how many blocks a test of fixed size needs to accept with this power, if this is the truth.

    A normal test of the mean score with the scatter of these blocks; where the truth is even, it is to tell
    `elo1` from it.
    """
    scores = np.array([float(block.score) for block in draw(rng, 20_000)])
    normal = NormalDist()
    apart = (truth if truth > EVEN else WORTH) - EVEN
    needed = normal.inv_cdf(1 - HYPOTHESES.alpha) + normal.inv_cdf(power)
    return int(np.ceil((needed * scores.std() / apart) ** 2))


def told(name: str, seats: int, truth: float, draw: Drawing, runs: int) -> Row:
    """Return a row: many duels of one kind."""
    rng = np.random.default_rng(list(seed_of("duel", name, seats, round(truth, 6))))
    ended = [run(draw, rng, truth) for _ in range(runs)]
    a_block = 2 if seats == 2 else 2 * seats
    games = sum(each.blocks for each in ended) / runs * a_block
    accepted = sum(each.verdict is Verdict.ACCEPTED for each in ended) / runs
    power = min(accepted, 1 - 1 / runs) if truth > EVEN else 1 - HYPOTHESES.beta
    fixed = fixed_size(draw, truth, rng, max(power, 0.5)) * a_block
    return (
        name,
        seats,
        f"{100 * truth:.1f}%",
        _share(ended, lambda each: each.verdict is Verdict.ACCEPTED),
        _share(ended, lambda each: each.verdict is Verdict.REJECTED),
        round(games),
        fixed,
        fixed_size(draw, truth, rng) * a_block,
        f"{100 * (1 - games / fixed):.0f}%",
        _share(ended, lambda each: bool(each.holds)),
    )


def _share(ended: Sequence[Ended], which: Callable[[Ended], bool]) -> str:
    return f"{100 * sum(map(which, ended)) / len(ended):.1f}%"


COLUMNS = (
    "blocks",
    "seats",
    "true score",
    "accepted",
    "rejected",
    "games, mean",
    "of a fixed-size test of the same power",
    "of one of power 95%",
    "games saved",
    "interval holds",
)


def simulated(runs: int) -> list[Job]:
    """Return the duels by scores and by strengths."""
    jobs = [
        Job("simulated", _simulated, (shape.name, 2, truth, "scores", shape, runs))
        for shape in SHAPES
        for truth in (EVEN, WORTH, PLANTED)
    ]
    return jobs + [
        Job("simulated", _simulated, ("luck of seat and moment", seats, None, "strengths", strength, runs))
        for seats in (3, 4)
        for strength in (0.0, 0.15, 0.3)
    ]


def _simulated(name: str, seats: int, truth: float | None, kind: str, shape: Any, runs: int) -> Row:
    if kind == "scores":
        return told(name, seats, truth or EVEN, drawn_by_scores(shape.chances(truth)), runs)
    draw = drawn_by_strengths(seats, shape)
    sample = draw(np.random.default_rng(5), 200_000 if shape else 1)
    truth = float(np.mean([float(block.score) for block in sample])) if shape else EVEN
    return told(name, seats, truth, draw, max(20, runs // 4))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots that meet in real games."""

    game: str
    seats: int
    new: Player
    old: Player

    def __str__(self) -> str:
        return f"{game_named(self.game).title}: {self.new} against {self.old}"


PAIRS = tuple(
    Pair(game, seats, new, old)
    for game, new, old in (
        ("gang-of-dice", Player(ANY), Player(ANY)),
        ("gang-of-dice", Player("closing"), Player("closing", 0.01)),
        ("gangster-dice", Player(ANY), Player(ANY)),
        ("gangster-dice", Player("cautious"), Player("cautious", 0.2)),
    )
    for seats in (2, 3, 4)
)


def play_pair(pair: Pair, numbers: range) -> list[DuelBlock]:
    """Play these blocks of two bots, as a duel does."""
    found: list[DuelBlock] = []
    for number in numbers:
        places = [_sitting(pair, sides, number) for sides in sittings(pair.seats)]
        found += blocks_of(pair.seats, [[each] for each in places])
    return found


def _sitting(pair: Pair, sides: tuple[int, ...], number: int) -> tuple[Fraction, ...]:
    game, sums = game_named(pair.game), [Fraction(0)] * pair.seats
    for rotation in range(pair.seats):
        seated = seating(number, rotation, pair.seats)
        players = [
            (pair.new, pair.old)[sides[index]].sit(game, seed_of("duel", pair, sides, number, rotation, seat))
            for seat, index in enumerate(seated)
        ]
        places = play(game, players, {}, SeededChance(seed_of("duel", pair, number))).outcome.mean_places()
        for seat, index in enumerate(seated):
            sums[index] += places[seat]
    return tuple(each / pair.seats for each in sums)


def real_row(pair: Pair, pool: list[DuelBlock], runs: int) -> Row:
    """Return a row of duels between real bots; of a bot with itself, both sides of each block count alike."""
    if pair.new == pair.old:
        pool = [*pool, *(DuelBlock(each.seats, each.old_alone, each.new_alone) for each in pool)]
    truth = float(sum(block.score for block in pool) / len(pool))
    return told(str(pair), pair.seats, truth, drawn_from(pool), runs)


def tables(runs: int, pool: int, workers: int, pairs: Sequence[Pair] = PAIRS) -> tuple[Table, Table]:
    """Return both tables."""
    rows = run_all(simulated(runs), workers)["simulated"]
    played: Mapping[Any, list[Any]] = run_all(
        [Job(pair, play_pair, (pair, numbers)) for pair in pairs for numbers in pieces(pool, PIECE)], workers
    )
    jobs = [Job("real", real_row, (pair, list(chain(*played[pair])), max(20, runs // 4))) for pair in pairs]
    real = run_all(jobs, workers)["real"]
    bounds = HYPOTHESES
    said = (
        f"Bounds [{bounds.elo0:g}, {bounds.elo1:+g}] Elo, alpha {bounds.alpha:g}, beta {bounds.beta:g}, a look every "
        f"{MATCH_BLOCKS} blocks. {_worst(rows, runs)}"
    )
    return (
        Table("simulated", "Simulated duels", COLUMNS, tuple(rows), said),
        Table(
            "real", "Duels of real bots", COLUMNS, tuple(real), f"{pool:,} real blocks a row. {_worst(real, runs // 4)}"
        ),
    )


def _worst(rows: Sequence[Row], runs: int) -> str:
    even = [float(str(row[3]).rstrip("%")) for row in rows if row[2] == "50.0%"]
    planted = [float(str(row[3]).rstrip("%")) for row in rows if float(str(row[2]).rstrip("%")) >= 55]
    parts = [f"{runs:,} runs a row at two seats" if len(rows) > len(PAIRS) else f"{max(20, runs):,} runs a row"]
    if even:
        parts.append(f"of equal bots at most {max(even):.1f}% were accepted")
    if planted:
        parts.append(f"of those worth 55% or more at least {min(planted):.1f}%")
    return "; ".join(parts) + "."


def main(given: Sequence[str] | None = None) -> None:
    """Run and print, or write into a page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.duel", description="Whether duels hold their rates.")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"of each kind of simulated duel ({RUNS:,})")
    parser.add_argument("--pool", type=int, default=POOL, help=f"real blocks of each pair of bots ({POOL:,})")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (one a core)")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="put the tables into a page, between its marks")
    chosen = parser.parse_args(given)
    if min(chosen.runs, chosen.pool, chosen.workers) < 1:
        parser.error("at least one run, one block and one process are needed")
    for table in tables(chosen.runs, chosen.pool, chosen.workers):
        if chosen.into:
            put(chosen.into, table.key, table.as_markdown())
        else:
            print(table.as_text(), end="\n\n")


if __name__ == "__main__":
    main()

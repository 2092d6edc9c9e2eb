"""Do a ladder's rounds keep their promises?  Simulated bots of known strength, paired and rated as on the site.

    python -m benchmarks.ladder                            print the table: a minute
    python -m benchmarks.ladder --into benchmarks/results/pairing.md     write it into that page, between its marks

Every round is planned by `ladder_round` from the ratings and the conduct after the last but one before it,
and folded by `Folding`.  In each game a bot shows its strength and luck, and whoever shows most is first.
The same command gives the same figures.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import fmean, median

import numpy as np

from benchmarks.evidence.tables import Row, Table
from benchmarks.report import put
from gangland_ladder.pairing.demand import Conduct, Contender
from gangland_ladder.pairing.matchmaking import ladder_round
from gangland_ladder.rating.folding import Folding, Result
from gangland_ladder.rating.trueskill import MU, SIGMA

BLOCKS = 12
SPREAD, LUCK = 6.0, 6.0
"""How far strengths lie apart, and how much luck a game has, in points of rating."""
SETTLED_AFTER = 3
"""Shares of a round and sides are counted after so many rounds: before them everybody is new."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """A ladder to be simulated; the first `faulters` fail in every other match, one newcomer comes in mid-way."""

    bots: int
    seats: int
    rounds: int
    faulters: int


LADDERS = (Ladder(20, 2, 40, 2), Ladder(60, 2, 40, 3), Ladder(60, 4, 40, 3), Ladder(200, 2, 20, 5))


@dataclass(slots=True)
class Bot:
    """A bot in a simulation: what the ladder knows of it, and what is true."""

    strength: float
    mu: float = MU
    sigma: float = SIGMA
    appearances: int = 0
    last_round: int | None = None
    conduct: Conduct = field(default_factory=Conduct)
    above: int = 0
    below: int = 0
    longest_wait: int = 0


@dataclass(slots=True)
class Seen:
    """What became of a simulated ladder; `sigmas` are the newcomer's, round by round from its placement on."""

    bots: dict[int, Bot]
    largest_share: float
    sigmas: list[float]
    fewest_tables: int
    most_tables: int


def simulate(ladder: Ladder, seed: int = 1) -> Seen:
    """Play a ladder."""
    rng = np.random.default_rng([seed, ladder.bots, ladder.seats])
    bots = {entry: Bot(rng.normal(MU, SPREAD)) for entry in range(ladder.bots)}
    folding, met = Folding("gang-of-dice", ladder.seats, BLOCKS), Counter[tuple[int, int]]()
    waiting: list[list[tuple[Result, list[bool]]]] = []
    seen = Seen(bots, 0.0, [], 10**9, 0)
    number = 1
    for turn in range(1, ladder.rounds + 1):
        if turn == ladder.rounds // 2:
            bots[ladder.bots] = Bot(rng.normal(MU, SPREAD))
        tables = ladder_round(_contenders(bots), seats=ladder.seats, number=turn, seed="simulated", met=met).tables
        _note(seen, tables, met, turn)
        waiting.append([_played(number + i, table, bots, ladder.faulters, rng) for i, table in enumerate(tables)])
        number += len(tables)
        if len(waiting) > 1:
            _take(folding, waiting.pop(0), bots)
        if ladder.bots in bots:
            seen.sigmas.append(bots[ladder.bots].sigma)
    return seen


def _contenders(bots: dict[int, Bot]) -> list[Contender]:
    return [
        Contender(
            entry=entry,
            owner=entry,
            mu=bot.mu,
            sigma=bot.sigma,
            appearances=bot.appearances,
            last_round=bot.last_round,
            probation=bot.conduct.probation,
        )
        for entry, bot in bots.items()
    ]


def _note(seen: Seen, tables: Sequence[tuple[int, ...]], met: Counter[tuple[int, int]], turn: int) -> None:
    """Count who sits how often, who meets whom, and who had to wait."""
    load = Counter(entry for table in tables for entry in table)
    settled = turn > SETTLED_AFTER
    if settled:
        seen.largest_share = max(seen.largest_share, max(load.values()) / len(tables))
        seen.fewest_tables, seen.most_tables = min(seen.fewest_tables, len(tables)), max(seen.most_tables, len(tables))
    for table in tables:
        for one, other in combinations(table, 2):
            met[one, other] += 1
            low, high = sorted((one, other), key=lambda entry: (seen.bots[entry].mu, entry))
            seen.bots[low].above += settled
            seen.bots[high].below += settled
    for entry, bot in seen.bots.items():
        if load[entry]:
            since = turn if bot.last_round is None else bot.last_round
            bot.longest_wait = max(bot.longest_wait, turn - since)
            bot.last_round, bot.appearances = turn, bot.appearances + load[entry]


def _played(
    number: int, table: tuple[int, ...], bots: dict[int, Bot], faulters: int, rng: np.random.Generator
) -> tuple[Result, list[bool]]:
    games = BLOCKS * len(table)
    shown = np.array([bots[entry].strength for entry in table]) + LUCK * rng.gumbel(size=(games, len(table)))
    sums = ((-shown).argsort(axis=1).argsort(axis=1) + 1).sum(axis=0)
    faults = [entry < faulters and bool(rng.random() < 0.5) for entry in table]
    return Result(number, table, tuple((int(places), games) for places in sums)), faults


def _take(folding: Folding, played: list[tuple[Result, list[bool]]], bots: dict[int, Bot]) -> None:
    for (result, moves), (_, faults) in zip(folding.take(each for each, _ in played), played, strict=True):
        for entry, move, fault in zip(result.entries, moves, faults, strict=True):
            bot = bots[int(entry)]
            bot.mu, bot.sigma, bot.conduct = move[2], move[3], bot.conduct.after(fault)


def ladders_table(ladders: Sequence[Ladder]) -> Table:
    """Return what became of ladders, a row each."""
    return Table("ladder", "Do rounds keep their promises?", _COLUMNS, tuple(_row(each) for each in ladders), _FINDING)


_COLUMNS = (
    *("bots", "seats", "tables a round", "largest share of a round", "longest wait in rounds", "better opponents"),
    *("appearances", "of who keeps failing", "newcomer's sigma after its placement", "two rounds later"),
)
_FINDING = (
    "Rounds 4 on; waits are those of bots that do not keep failing; better opponents: of the middle four fifths, mean "
    "and range; appearances: medians."
)


def _row(ladder: Ladder) -> Row:
    seen = simulate(ladder)
    good = [bot for entry, bot in seen.bots.items() if ladder.faulters <= entry < ladder.bots]
    bad = [bot for entry, bot in seen.bots.items() if entry < ladder.faulters]
    ranked = sorted(good, key=lambda bot: bot.mu)
    middle = [bot.above / (bot.above + bot.below) for bot in ranked[len(ranked) // 10 : -(len(ranked) // 10)]]
    return (
        ladder.bots,
        ladder.seats,
        f"{seen.fewest_tables} to {seen.most_tables}",
        f"{seen.largest_share:.1%}",
        max(bot.longest_wait for bot in good),
        f"{fmean(middle):.0%} ({min(middle):.0%} to {max(middle):.0%})",
        round(median(bot.appearances for bot in good)),
        round(median(bot.appearances for bot in bad)),
        f"{seen.sigmas[1]:.1f}",
        f"{seen.sigmas[3]:.1f}",
    )


def main(given: Sequence[str] | None = None) -> None:
    """Simulate and print, or write into a page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder", description="Whether rounds keep promises.")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="put the table into a page, between its marks")
    chosen = parser.parse_args(given)
    table = ladders_table(LADDERS)
    if chosen.into:
        put(chosen.into, table.key, table.as_markdown())
    else:
        print(table.as_text())


if __name__ == "__main__":
    main()

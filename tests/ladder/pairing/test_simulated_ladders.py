"""Simulated ladders keep what docs/ratings.md promises: bots of known strength, paired and rated as on the site."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import pytest

from gangland_ladder.pairing.demand import IDLE_ROUNDS, SHARE, ActiveEntry, Conduct
from gangland_ladder.pairing.matchmaking import ladder_round
from gangland_ladder.rating.trueskill import MU, SIGMA
from gangland_ladder.rating.updater import FinishedMatch, RatingUpdater

BLOCKS = 12


SPREAD, LUCK = 6.0, 6.0  # standard deviations of strengths and of a game's luck, in points of rating


SETTLED_AFTER = 3  # shares and sides count from this round on: before it every bot is new


@dataclass(frozen=True, slots=True)
class Ladder:
    """A ladder to simulate; the first `faulters` fail in every other match, and a newcomer arrives half-way."""

    bots: int
    seats: int
    rounds: int
    faulters: int


@dataclass(slots=True)
class Bot:
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
    """The result of a ladder; `sigmas` are the newcomer's, by round from its placement."""

    bots: dict[int, Bot]
    largest_share: float
    sigmas: list[float]
    fewest_tables: int
    most_tables: int


def simulate(ladder: Ladder, seed: int = 1, *, by_lot: bool = False) -> Seen:
    rng = np.random.default_rng([seed, ladder.bots, ladder.seats])
    bots = {entry: Bot(rng.normal(MU, SPREAD)) for entry in range(ladder.bots)}
    updater, met = RatingUpdater("gang-of-dice", ladder.seats, BLOCKS), Counter[tuple[int, int]]()
    waiting: list[list[tuple[FinishedMatch, list[bool]]]] = []
    observed = Seen(bots, 0.0, [], 10**9, 0)
    number = 1
    for turn in range(1, ladder.rounds + 1):
        if turn == ladder.rounds // 2:
            bots[ladder.bots] = Bot(rng.normal(MU, SPREAD))
        tables = ladder_round(_contenders(bots), seats=ladder.seats, number=turn, seed="simulated", meetings=met).tables
        if by_lot:
            tables = tuple([tuple(sorted(rng.permutation(len(bots))[: ladder.seats].tolist())) for _ in tables])
        _note(observed, tables, met, turn)
        waiting.append([_played(number + i, table, bots, ladder.faulters, rng) for i, table in enumerate(tables)])
        number += len(tables)
        if len(waiting) > 1:
            _take(updater, waiting.pop(0), bots)
        if ladder.bots in bots:
            observed.sigmas.append(bots[ladder.bots].sigma)
    return observed


def _contenders(bots: dict[int, Bot]) -> list[ActiveEntry]:
    return [
        ActiveEntry(
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


def _note(observed: Seen, tables: Sequence[tuple[int, ...]], met: Counter[tuple[int, int]], turn: int) -> None:
    load = Counter(entry for table in tables for entry in table)
    settled = turn > SETTLED_AFTER
    if settled:
        observed.largest_share = max(observed.largest_share, max(load.values()) / len(tables))
        observed.fewest_tables, observed.most_tables = (
            min(observed.fewest_tables, len(tables)),
            max(observed.most_tables, len(tables)),
        )
    for table in tables:
        for one, other in combinations(table, 2):
            met[one, other] += 1
            low, high = sorted((one, other), key=lambda entry: (observed.bots[entry].mu, entry))
            observed.bots[low].above += settled
            observed.bots[high].below += settled
    for entry, bot in observed.bots.items():
        if load[entry]:
            since = turn if bot.last_round is None else bot.last_round
            bot.longest_wait = max(bot.longest_wait, turn - since)
            bot.last_round, bot.appearances = turn, bot.appearances + load[entry]


def _played(
    number: int, table: tuple[int, ...], bots: dict[int, Bot], faulters: int, rng: np.random.Generator
) -> tuple[FinishedMatch, list[bool]]:
    games = BLOCKS * len(table)
    shown = np.array([bots[entry].strength for entry in table]) + LUCK * rng.gumbel(size=(games, len(table)))
    sums = ((-shown).argsort(axis=1).argsort(axis=1) + 1).sum(axis=0)
    faults = [entry < faulters and bool(rng.random() < 0.5) for entry in table]
    return FinishedMatch(number, table, tuple((int(places), games) for places in sums)), faults


def _take(updater: RatingUpdater, played: list[tuple[FinishedMatch, list[bool]]], bots: dict[int, Bot]) -> None:
    for (result, moves), (_, faults) in zip(updater.apply(each for each, _ in played), played, strict=True):
        for entry, move, fault in zip(result.entries, moves, faults, strict=True):
            bot = bots[int(entry)]
            bot.mu, bot.sigma, bot.conduct = move[2], move[3], bot.conduct.after_match(fault)


@pytest.mark.parametrize("ladder", [Ladder(52, 2, 14, 2), Ladder(52, 4, 14, 2)], ids=str)
def test_a_ladder_bounds_shares_waits_for_nobody_and_holds_up_who_keeps_failing(ladder: Ladder) -> None:
    observed = simulate(ladder)
    assert observed.largest_share <= SHARE
    assert max(bot.longest_wait for bot in observed.bots.values()) < IDLE_ROUNDS
    assert observed.fewest_tables >= 0.8 * observed.most_tables, "a newcomer takes the others' tables"
    good = sorted(bot.appearances for entry, bot in observed.bots.items() if ladder.faulters <= entry < ladder.bots)
    assert all(observed.bots[entry].appearances < good[0] for entry in range(ladder.faulters))
    middle = [bot for entry, bot in observed.bots.items() if ladder.faulters <= entry < ladder.bots]
    middle = sorted(middle, key=lambda bot: bot.mu)[10:-10]
    above, below = sum(bot.above for bot in middle), sum(bot.below for bot in middle)
    assert 0.45 <= above / (above + below) <= 0.55
    assert observed.sigmas[3] < observed.sigmas[1] < 0.5 * observed.sigmas[0]


def wrong_pairs(bots: dict[int, Bot]) -> float:
    return float(np.mean([(a.strength - b.strength) * (a.mu - b.mu) < 0 for a, b in combinations(bots.values(), 2)]))


def test_ratings_find_the_order_sooner_than_with_tables_by_lot() -> None:
    paired, drawn = (
        np.mean([wrong_pairs(simulate(Ladder(60, 2, 6, 0), seed, by_lot=by_lot).bots) for seed in range(6)])
        for by_lot in (False, True)
    )
    assert paired < 0.95 * drawn

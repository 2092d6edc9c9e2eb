"""Simulate duels with known strengths: draw blocks by scores or by strengths, and run the sequential test on them."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

import numpy as np

from gangland_ladder.rating import duel_scores, duels

MOST = 10_000


HYPOTHESES = duels.Hypotheses()


EVEN, WORTH = 0.5, duels.score_of(HYPOTHESES.elo1)


Drawing = Callable[[np.random.Generator, int], list[duel_scores.DuelBlock]]


@dataclass(frozen=True, slots=True)
class Ended:
    verdict: duels.DuelVerdict
    blocks: int


@dataclass(frozen=True, slots=True)
class Shape:
    """The distribution of results: the share of tied games, and of blocks split only by luck."""

    name: str
    tied: float = 0.0
    split: float = 0.0

    def chances(self, score: float) -> np.ndarray:
        """Return the probabilities of the block scores 0, 1/4, 1/2, 3/4 and 1."""
        won = 0.5 + (score - 0.5) / (1 - self.split) - self.tied / 2
        game = np.array([1 - won - self.tied, self.tied, won])
        return self.split * np.array([0.0, 0.0, 1.0, 0.0, 0.0]) + (1 - self.split) * np.convolve(game, game)


SHAPES = (
    Shape("each game by itself"), Shape("ties in 20% of games", tied=0.2),
    Shape("half of the blocks split", split=0.5), Shape("80% of the blocks split", split=0.8),
)  # fmt: skip


def drawn_by_scores(chances: np.ndarray) -> Drawing:
    kinds = [duel_scores.DuelBlock(2, 2 - Fraction(quarter, 4), 1 + Fraction(quarter, 4)) for quarter in range(5)]
    return lambda rng, count: [kinds[i] for i in rng.choice(5, size=count, p=chances)]


def drawn_by_strengths(seats: int, strength: float, moment: float = 1.0) -> Drawing:
    """Return a function that draws blocks of larger tables by strengths."""

    def draw(rng: np.random.Generator, count: int) -> list[duel_scores.DuelBlock]:
        luck = rng.gumbel(size=(count, seats))
        sides = [_alone(rng, luck, each, moment) for each in (strength, -strength)]
        return [
            duel_scores.DuelBlock(seats, Fraction(int(new), seats), Fraction(int(old), seats))
            for new, old in zip(*sides, strict=True)
        ]

    return draw


def _alone(rng: np.random.Generator, luck: np.ndarray, strength: float, moment: float) -> np.ndarray:
    """Return a player's sum of places over the rotations; only this player has another strength."""
    count, seats = luck.shape
    sums = np.zeros(count, dtype=int)
    for rotation in range(seats):
        shown = np.roll(luck, rotation, axis=1) + moment * rng.gumbel(size=luck.shape)
        shown[:, 0] += strength
        sums += 1 + (shown[:, 1:] > shown[:, :1]).sum(axis=1)
    return sums


def run(draw: Drawing, rng: np.random.Generator) -> Ended:
    test = duels.DuelTest(HYPOTHESES)
    while test.verdict is duels.DuelVerdict.OPEN and test.blocks < MOST:
        test.add(block.score for block in draw(rng, duel_scores.DUEL_MATCH_BLOCKS))
    return Ended(duels.DuelVerdict.UNDECIDED if test.verdict is duels.DuelVerdict.OPEN else test.verdict, test.blocks)


def fixed_size(draw: Drawing, truth: float, rng: np.random.Generator, power: float = 1 - HYPOTHESES.beta) -> int:
    """Return the blocks that a normal test of fixed size needs to accept a true score with this power."""
    scores = np.array([float(block.score) for block in draw(rng, 20_000)])
    normal = NormalDist()
    apart = (truth if truth > EVEN else WORTH) - EVEN
    needed = normal.inv_cdf(1 - HYPOTHESES.alpha) + normal.inv_cdf(power)
    return int(np.ceil((needed * scores.std() / apart) ** 2))

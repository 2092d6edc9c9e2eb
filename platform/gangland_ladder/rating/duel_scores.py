"""Score a duel: the seating of its games, its score and Elo, and the probability that the new bot is better."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

import numpy as np

from gangland_ladder.rating import bradley_terry, duels
from gangland_ladder.rating.final_standings import DIGITS, LEVEL, Share, standings

# Score and Elo.
#
# At two seats, the fit of the final standings (docs/standings.md) is applied to the blocks. At three and four seats,
# blocks are resampled many times from the played ones (Efron's bootstrap). In both cases, an additional block is
# assumed, half won and half lost outright, so that a bot that has won everything is not infinitely strong.


DRAWS = 4_000
NEW, OLD = 0, 1


@dataclass(frozen=True, slots=True)
class DuelBlock:
    """One block from both sides: each bot's mean place as the single bot (at two seats, in the same games)."""

    seats: int
    new_alone: Fraction  # mean place of the new bot among copies of the old one
    old_alone: Fraction  # mean place of the old bot among copies of the new one, on the same dice

    @property
    def score(self) -> Fraction:
        """The share of opponents that the new bot beats in a game, from 0 to 1; a tie counts half."""
        # The mean of (k - new_alone) / (k - 1) and 1 - (k - old_alone) / (k - 1), at k seats.
        others = self.seats - 1
        return Fraction(self.old_alone - self.new_alone + others) / (2 * others)


@dataclass(frozen=True, slots=True)
class DuelScore:
    """The score after a number of blocks; the 95% intervals assume that the number was fixed in advance."""

    blocks: int
    score: Share
    elo: tuple[float, float, float]  # the score in Elo points, as (value, low, high)
    better: float  # the probability that the new bot is better
    # new_alone, old_alone: mean places at three and four seats, as (value, low, high); None at two seats
    new_alone: tuple[float, float, float] | None = None
    old_alone: tuple[float, float, float] | None = None


def duel_score(blocks: Sequence[DuelBlock]) -> DuelScore | None:
    """Return the score of blocks in any order, or None without blocks. Raises ValueError: their table sizes differ."""
    if not blocks:
        return None
    sizes = {block.seats for block in blocks}
    if len(sizes) != 1:
        raise ValueError(f"blocks must have the same number of seats, not {sorted(sizes)}")
    return _two_seat_score(blocks) if sizes == {2} else _bootstrap_score(sizes.pop(), blocks)


def _two_seat_score(blocks: Sequence[DuelBlock]) -> DuelScore:
    table = standings(bradley_terry.BlockResult((NEW, OLD), (block.new_alone, block.old_alone)) for block in blocks)
    score = table.expected(NEW, OLD)
    if score is None:
        raise ValueError("expected blocks in which both bots played")
    gap = round(float(table.fitted.strength[NEW] - table.fitted.strength[OLD]), DIGITS) + 0.0
    error = sqrt(float(table.fitted.variance[NEW, OLD]))
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2) * error
    elo = (duels.LOGIT * gap, duels.LOGIT * (gap - reach), duels.LOGIT * (gap + reach))
    return DuelScore(len(blocks), score, elo, NormalDist().cdf(gap / error))


def _bootstrap_score(seats: int, blocks: Iterable[DuelBlock]) -> DuelScore:
    kinds = Counter((block.new_alone, block.old_alone) for block in blocks)
    all_won, all_lost = (Fraction(1), Fraction(seats)), (Fraction(seats), Fraction(1))
    weights = {kind: float(number) for kind, number in kinds.items()}
    for assumed in (all_won, all_lost):
        weights[assumed] = weights.get(assumed, 0.0) + 0.5
    outcomes = sorted(weights)
    count = kinds.total() + 1
    share = np.array([weights[kind] for kind in outcomes]) / count
    drawn = np.random.default_rng(count).multinomial(count, share, DRAWS) / count
    places = np.array([[float(new), float(old)] for new, old in outcomes])
    scores = np.array([float(DuelBlock(seats, *kind).score) for kind in outcomes])
    score = _range(float(share @ scores), drawn @ scores)
    new, old = (_range(float(share @ places[:, side]), drawn @ places[:, side]) for side in (NEW, OLD))
    drawn_scores = np.round(drawn @ scores, DIGITS)
    better = float((drawn_scores > 0.5).mean() + (drawn_scores == 0.5).mean() / 2)
    lowest, highest = 1 / (4 * count), 1 - 1 / (4 * count)
    elo = tuple(duels.elo_of(min(max(value, lowest), highest)) for value in score)
    return DuelScore(kinds.total(), Share(*score), (elo[0], elo[1], elo[2]), better, new, old)


def _range(value: float, drawn: np.ndarray) -> tuple[float, float, float]:
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return value, float(low), float(high)


# Seating: a match has blocks with different dice, and neither side has better seats.
#
# At two seats, both sides play the same dice from both seats. At three and four seats, one new bot plays against copies
# of the old bot, and with the same dice, one old bot plays against copies of the new bot. Each block has both tables in
# every rotation of the seats. So both sides have the single bot equally often in every seat, and also the copies, and
# the expected score of a bot against itself is exactly one half.


DUEL_MATCH_BLOCKS = 20  # Blocks per match: a duel may stop after each match, and a bot's process lasts for one match.


def sittings(seats: int) -> list[tuple[int, ...]]:
    """Return which side has each seat of a block's tables, the single bot first. Raises ValueError: no such size."""
    if not 2 <= seats <= 4:
        raise ValueError(f"a duel must have 2 to 4 seats, not {seats!r}")
    return [(NEW, OLD)] if seats == 2 else [(NEW, *[OLD] * (seats - 1)), (OLD, *[NEW] * (seats - 1))]


def match_lengths(blocks: int) -> Iterator[int]:
    """Yield each match's number of blocks; they add up to `blocks`."""
    for first in range(0, blocks, DUEL_MATCH_BLOCKS):
        yield min(DUEL_MATCH_BLOCKS, blocks - first)


def duel_blocks(seats: int, places: Sequence[Sequence[tuple[Fraction, ...]]]) -> list[DuelBlock]:
    """Return the blocks of one match."""
    if seats == 2:
        return [DuelBlock(2, new, old) for new, old in places[0]]
    return [DuelBlock(seats, new[0], old[0]) for new, old in zip(*places, strict=True)]

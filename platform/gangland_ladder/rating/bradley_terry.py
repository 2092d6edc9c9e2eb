"""Fit the Bradley-Terry model to all blocks of games, and draw strengths from its posterior."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Self

import numpy as np

# Counts: equal blocks are counted together and sorted, so that the order of the input has no effect. Places are counted
# in whole units, so that nothing is rounded.


@dataclass(frozen=True, slots=True)
class BlockResult:
    """A played block: its entries and their exact mean places; tied bots get the average of the places they share."""

    entries: tuple[int, ...]
    mean_places: tuple[Fraction | int, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A group of blocks with the same table and the same outcome."""

    table: tuple[int, ...]  # indexes in `Counts.entries`, ascending
    # mean places in units of 1 / (2 x seats); the mean place over all rotations is a whole number of units
    places: tuple[int, ...]
    blocks: int


@dataclass(slots=True)
class Tally:
    """The results of one entry's blocks: the numbers of opponents with worse, equal and better mean places."""

    blocks: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    score: Fraction = field(default=Fraction(0))

    @property
    def mean_score(self) -> Fraction | None:
        """The mean block score, from 0 to 1: the share of opponents that the entry beat, over all its games."""
        return self.score / self.blocks if self.blocks else None


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of all blocks of a tournament."""

    entries: tuple[int, ...]  # every entry in ascending order, including entries without a block
    kinds: tuple[Kind, ...]  # sorted, without duplicates
    tallies: tuple[Tally, ...]  # one per entry
    games: int  # number of all games; a block has one game per rotation


def block_of(entries: Sequence[int], games: Sequence[tuple[Sequence[int], Sequence[Fraction]]]) -> BlockResult:
    """Return a block from its games, each with the bots by seat (as indexes in `entries`) and their mean places.

    Raises ValueError: a bot did not play exactly once in every seat.
    """
    seatings = [seating for seating, _ in games]
    all_entries = list(range(len(entries)))
    if len(games) != len(entries) or any(sorted(bots) != all_entries for bots in zip(*seatings, strict=True)):
        raise ValueError(f"in a block, each of {len(entries)} bots must play once in every seat, not {seatings!r}")
    sums = [Fraction(0)] * len(entries)
    for seating, places in games:
        for bot, place in zip(seating, places, strict=True):
            sums[bot] += place
    return BlockResult(tuple(entries), tuple(total / len(entries) for total in sums))


def count_blocks(blocks: Iterable[BlockResult], entries: Iterable[int] = ()) -> Counts:
    """Return the counts of all blocks, in any order. Raises ValueError: invalid entries or places."""
    outcomes: Counter[tuple[int, ...]] = Counter(map(_outcome, blocks))
    halves = [
        (outcome[: len(outcome) // 2], outcome[len(outcome) // 2 :], outcomes[outcome]) for outcome in sorted(outcomes)
    ]
    all_entries = tuple(sorted({entry for table, _, _ in halves for entry in table}.union(entries)))
    position = {entry: index for index, entry in enumerate(all_entries)}
    kinds = tuple(Kind(tuple([position[entry] for entry in table]), places, n) for table, places, n in halves)
    games = sum(kind.blocks * len(kind.table) for kind in kinds)
    return Counts(all_entries, kinds, _tallies(len(all_entries), kinds), games)


def _outcome(block: BlockResult) -> tuple[int, ...]:
    entries = block.entries
    seats = len(entries)
    if seats < 2 or len(set(entries)) != seats:
        raise ValueError(f"a block needs two or more different entries, not {entries!r}")
    places = [_units(place, seats) for place in block.mean_places]
    if len(places) != seats or sum(places) != seats * seats * (seats + 1) or min(places) < 2 * seats:
        texts = [str(place) for place in block.mean_places]
        raise ValueError(
            f"expected {seats} mean places, at least 1 each and {seats * (seats + 1) // 2} in total, not {texts!r}"
        )
    if seats == 2:
        (one, other), (place, other_place) = entries, places
        return (one, other, place, other_place) if one < other else (other, one, other_place, place)
    ranked = sorted(zip(entries, places, strict=True))
    return (*[entry for entry, _ in ranked], *[place for _, place in ranked])


def _units(place: Fraction | int, seats: int) -> int:
    units, rest = divmod(place.numerator * 2 * seats, place.denominator)
    if rest:
        raise ValueError(f"a mean place over {seats} games must be a multiple of 1/{2 * seats}, not {place}")
    return units


def _tallies(entries: int, kinds: Iterable[Kind]) -> tuple[Tally, ...]:
    tallies = tuple(Tally() for _ in range(entries))
    behind: Counter[tuple[int, int]] = Counter()
    for kind in kinds:
        seats, number = len(kind.table), kind.blocks
        for one, place in zip(kind.table, kind.places, strict=True):
            tallies[one].blocks += number
            behind[one, seats] += number * (2 * seats * seats - place)
        for (one, place), (other, other_place) in combinations(zip(kind.table, kind.places, strict=True), 2):
            if place == other_place:
                tallies[one].tied += number
                tallies[other].tied += number
            else:
                better, worse = (one, other) if place < other_place else (other, one)
                tallies[better].won += number
                tallies[worse].lost += number
    for (one, seats), units in behind.items():
        tallies[one].score += Fraction(units, 2 * seats * (seats - 1))
    return tallies


# The fit: strengths with clustered intervals.
#
# Entry i is expected to finish ahead of entry j in a share of 1 / (1 + exp(s_j - s_i)) of their games, where a tie
# counts as half a win. A block of k seats has k(k-1)/2 pairs with weight 2/k each. The sum of an entry's pairs is k
# minus its mean place, so only mean places are needed. The strengths maximize the (pseudo-)likelihood. Their
# uncertainty follows from the differences between blocks: a block is one observation, regardless of its number of games
# and pairs (the sandwich estimate, clustered by block).


# Number of assumed blocks of each entry against the entries that it met, half of them won and half lost. They keep the
# strength of an unbeaten entry finite, and its interval realistic.
ASSUMED_BLOCKS = 1.0
ASSUMED_DISPERSION = 0.5  # The value for two games with different dice; mirrored games mostly give less.
ASSUMED_COMPARISONS = 4.0
MAX_STEPS = 200
# Newton's method ends once a step changes the difference of each pair that met by less than this. It squares the
# error in each step, so the next change would be negligible.
TOLERANCE = 1e-8


@dataclass(frozen=True, slots=True)
class Fit:
    """The result of the fit; arrays have one element per entry, in the order of `Counts.entries`."""

    strength: np.ndarray  # logits, with mean 0 over each part of the schedule
    variance: np.ndarray  # variance of the difference of two strengths, entries x entries; infinite between parts
    part: np.ndarray  # number of each entry's part; entries that blocks connect, even indirectly, are in the same part
    weight: np.ndarray  # comparisons of each pair, entries x entries; a block of k entries adds k - 1 in total
    score: np.ndarray  # number of comparisons that each entry won, where a tie counts half
    dispersion: float  # the variation of blocks, relative to that of independent coin tosses
    freedom: float  # number of comparisons that `dispersion` is based on, including the assumed ones


def fit(counts: Counts) -> Fit:
    """Fit strengths to all blocks. Raises ArithmeticError: the fit does not converge (no such input is known)."""
    size = len(counts.entries)
    tables = _by_seats(counts.kinds)
    weight, score = np.zeros((size, size)), np.zeros(size)
    for kinds in tables:
        _add(kinds, weight, score)
    part = _parts(weight > 0)
    total = weight.sum(axis=1)
    inverse = np.divide(ASSUMED_BLOCKS, total, out=np.zeros_like(total), where=total > 0)
    assumed = weight * (inverse[:, None] + inverse[None, :]) / 2
    same_part = (part[:, None] == part[None, :]).astype(float)
    strength, share, slope = _strengths(weight + assumed, score + assumed.sum(axis=1) / 2, same_part)
    bread = np.linalg.inv(_laplacian(slope) + same_part)
    meat = _laplacian(assumed * (share**2 + (1 - share) ** 2) / 2)
    for kinds in tables:
        meat += _clustered(kinds, share)
    spread = bread @ meat @ bread * _small_sample_factor(counts.kinds, part)[:, None]
    spread = (spread + spread.T) / 2
    variances = np.diag(spread)
    variance = np.where(same_part > 0, variances[:, None] + variances[None, :] - 2 * spread, np.inf)
    np.fill_diagonal(variance, 0.0)
    fitted = len(part) - len(set(part.tolist()))
    return Fit(strength, variance, part, weight, score, *_dispersion(tables, share, fitted))


@dataclass(frozen=True, slots=True)
class _Tables:
    """The blocks with one table size, by kind; arrays are kinds x seats."""

    seats: int
    tables: np.ndarray  # indexes of entries
    ahead: np.ndarray  # mean number of opponents that each entry beat in a game, in units of 1 / (2 x seats)
    blocks: np.ndarray  # number of blocks of each kind; shape (kinds,)


def _by_seats(kinds: Sequence[Kind]) -> list[_Tables]:
    by_size: dict[int, list[Kind]] = {}
    for kind in kinds:
        by_size.setdefault(len(kind.table), []).append(kind)
    return [
        _Tables(
            seats,
            np.array([kind.table for kind in group], dtype=np.int64),
            2.0 * seats * seats - np.array([kind.places for kind in group], dtype=float),
            np.array([kind.blocks for kind in group], dtype=float),
        )
        for seats, group in sorted(by_size.items())
    ]


def _add(kinds: _Tables, weight: np.ndarray, score: np.ndarray) -> None:
    size, pair = len(weight), 2 / kinds.seats  # sums are whole numbers until they are weighted
    for a in range(kinds.seats):
        rows = kinds.tables[:, a]
        score += np.bincount(rows, kinds.blocks * kinds.ahead[:, a], size) * (pair / (2 * kinds.seats))
        for b in range(kinds.seats):
            if a != b:
                weight += (
                    np.bincount(rows * size + kinds.tables[:, b], kinds.blocks, size * size).reshape(size, size) * pair
                )


def _parts(met: np.ndarray) -> np.ndarray:
    part = np.arange(len(met))
    while True:
        lowest = np.where(met, part[None, :], len(met)).min(axis=1, initial=len(met))
        after = np.minimum(part, lowest)
        after = after[after]
        if (after == part).all():
            return part
        part = after


# The factor that corrects variances because the strengths are fitted to the same blocks; in a regression, it would be
# n / (n - fitted). Here it is (blocks + entries) / (blocks + 1) in the entry's part: assumed blocks count as well.
def _small_sample_factor(kinds: Sequence[Kind], part: np.ndarray) -> np.ndarray:
    blocks = np.zeros(len(part))
    for kind in kinds:
        blocks[part[kind.table[0]]] += kind.blocks
    entries = np.bincount(part, minlength=len(part))
    return np.asarray(((blocks + entries) / (blocks + 1))[part])


def _strengths(weight: np.ndarray, score: np.ndarray, same: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # Newton's method; steps that are too long are shortened.
    strength, met, longest = np.zeros(len(weight)), weight > 0, 0.0
    share, slope = _curve(strength, weight)
    for _ in range(MAX_STEPS):
        uphill = score - (weight * share).sum(axis=1)
        step = np.linalg.solve(_laplacian(slope) + same, uphill)
        longest = float(np.abs(step[:, None] - step[None, :]).max(initial=0.0, where=met))
        strength = strength + step / max(1.0, longest)
        share, slope = _curve(strength, weight)
        if longest < TOLERANCE:
            return strength, share, slope
    raise ArithmeticError(f"strengths did not converge in {MAX_STEPS} steps; the last change was {longest!r}")


def _curve(strength: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each entry's expected share against every other entry, and the curvature of the blocks' likelihood."""
    share = (1 + np.tanh((strength[:, None] - strength[None, :]) / 2)) / 2
    return share, weight * share * (1 - share)


def _laplacian(weight: np.ndarray) -> np.ndarray:
    return np.diag(weight.sum(axis=1)) - weight


def _clustered(kinds: _Tables, share: np.ndarray) -> np.ndarray:
    size, residuals = len(share), _residuals(kinds, share)
    meat = np.zeros(size * size)
    for a in range(kinds.seats):
        for b in range(kinds.seats):
            cells = kinds.tables[:, a] * size + kinds.tables[:, b]
            meat += np.bincount(cells, kinds.blocks * residuals[:, a] * residuals[:, b], size * size)
    return meat.reshape(size, size)


def _residuals(kinds: _Tables, share: np.ndarray) -> np.ndarray:
    """Return the difference between each entry's result and the expected one, for each kind of block; kinds x seats."""
    expected = share[kinds.tables[:, :, None], kinds.tables[:, None, :]].sum(axis=2) - 0.5  # without the entry itself
    return np.asarray((kinds.ahead / (2 * kinds.seats) - expected) * (2 / kinds.seats))


def _dispersion(tables: Sequence[_Tables], share: np.ndarray, fitted: int) -> tuple[float, float]:
    """Return the dispersion of blocks around their expectation, and the number of comparisons that it is based on."""
    # The dispersion is the sum of squared residuals, divided by its mean for independent coin tosses. A few comparisons
    # with `ASSUMED_DISPERSION` are added, so that results from few blocks do not look certain.
    squares = expected = comparisons = 0.0
    for kinds in tables:
        squares += float((kinds.blocks[:, None] * _residuals(kinds, share) ** 2).sum())
        shares = share[kinds.tables[:, :, None], kinds.tables[:, None, :]]
        slopes = (shares * (1 - shares)).sum(axis=(1, 2)) - kinds.seats / 4  # without the entries themselves
        expected += float((kinds.blocks * slopes).sum()) * 2 / kinds.seats
        comparisons += float(kinds.blocks.sum()) * (kinds.seats - 1)
    remaining = max(0.0, comparisons - fitted)
    if not remaining:
        return ASSUMED_DISPERSION, ASSUMED_COMPARISONS
    even = 2 * expected * remaining / comparisons  # number of comparisons of equal bots that give the same information
    squared = 2 * squares + ASSUMED_COMPARISONS * ASSUMED_DISPERSION
    return squared / (even + ASSUMED_COMPARISONS), even + ASSUMED_COMPARISONS


# The posterior, the same on every machine.
#
# The likelihood is that of the fit, with its logarithm divided by the dispersion of blocks. The prior is weak:
# strengths have a Cauchy distribution around a common center, with an unknown width (half-Cauchy with median `WIDTH`),
# and are limited by a normal distribution. So bots with similar results are assumed to be about equal until blocks show
# otherwise, and the strength of a bot that wins or loses everything is as certain as that of any other bot.
#
# Many Metropolis chains run in parallel, starting from a normal approximation. All randomness comes from one fixed seed
# and a generator whose stream never changes.


WIDTH = 0.1  # Median of the prior on the width of strengths, in logits.
LIMIT_WIDTH = 2.0  # Width of the normal distribution that keeps strengths finite, in logits.
# Numbers of sweeps before the first stored state, of stored states per chain, and of sweeps between stored states.
SETTLE_SWEEPS, STORED_STATES, SWEEPS_BETWEEN = 16, 16, 2
_SEED = 20_260_301
_REACH = 2.3  # Length of a step relative to the error of one strength; about 45% of the steps are then accepted.


def draws(fitted: Fit) -> np.ndarray:
    """Return draws of all strengths, draws x entries; within each part of the schedule their mean is 0."""
    entries = len(fitted.strength)
    if not entries:
        return np.zeros((1, 0))
    chains = _Chains.begin(fitted, 256 if entries <= 64 else 64 if entries <= 256 else 16)
    states = []
    for sweep in range(SETTLE_SWEEPS + STORED_STATES * SWEEPS_BETWEEN):
        chains.step()
        if sweep >= SETTLE_SWEEPS and (sweep - SETTLE_SWEEPS) % SWEEPS_BETWEEN == SWEEPS_BETWEEN - 1:
            states.append(chains.strength.T.copy())
    strengths = np.concatenate(states)
    for part in np.unique(fitted.part):
        members = fitted.part == part
        strengths[:, members] -= strengths[:, members].mean(axis=1, keepdims=True)
    return strengths


@dataclass(slots=True)
class _Chains:
    """The state of all chains; the last axis of each array is the chain."""

    fitted: Fit
    random: np.random.RandomState
    strength: np.ndarray  # entries x chains
    width: np.ndarray  # width of the prior in each chain
    dispersion: np.ndarray  # dispersion of blocks in each chain, which is also uncertain
    slope: np.ndarray
    opponents: list[np.ndarray]  # the entries that each has met
    total: np.ndarray

    @classmethod
    def begin(cls, fitted: Fit, count: int) -> Self:
        random = np.random.RandomState(_SEED)
        dispersion = fitted.dispersion * fitted.freedom / random.chisquare(fitted.freedom, count)
        spread = max(0.1, float(np.std(fitted.strength)) / 2)
        width = spread * np.exp(random.standard_normal(count) / 2)
        _, slope = _curve(fitted.strength, fitted.weight)
        # Each chain starts near the fit, at a draw from the normal approximation. Otherwise, the few sweeps before the
        # first stored state would not be enough to make the starting point irrelevant.
        precision = np.diag(slope.sum(axis=1) / fitted.dispersion + _prior_slope(fitted.strength, spread))
        root = np.linalg.cholesky(np.linalg.inv(precision - slope / fitted.dispersion))
        normal = random.standard_normal((len(slope), count))
        strength = fitted.strength[:, None] + root @ normal
        opponents = [np.nonzero(row)[0] for row in fitted.weight]
        return cls(fitted, random, strength, width, dispersion, slope.sum(axis=1), opponents, fitted.weight.sum(axis=1))

    def step(self) -> None:
        entries, count = self.strength.shape
        normal = self.random.standard_normal((entries + 3, count))
        chance = np.log(self.random.random_sample((entries + 3, count)))
        for entry in range(entries):
            self._move_entry(entry, normal[entry], chance[entry])
        proposed = self.strength + 1.5 * normal[entries] * self.width / np.sqrt(len(self.strength))
        gain = (_log_prior(proposed, self.width) - _log_prior(self.strength, self.width)).sum(axis=0)
        self.strength = np.where(chance[entries] < gain, proposed, self.strength)
        self._widen(normal[entries + 1], chance[entries + 1])
        self._stretch(normal[entries + 2], chance[entries + 2])

    def _move_entry(self, entry: int, normal: np.ndarray, chance: np.ndarray) -> None:
        fitted, current = self.fitted, self.strength[entry]
        precision = self.slope[entry] / self.dispersion + _prior_slope(fitted.strength[entry], self.width)
        proposed = current + _REACH * normal / np.sqrt(precision)
        opponents = self.opponents[entry]
        others = self.strength[opponents]
        weight = fitted.weight[entry, opponents][:, None]
        lost = (weight * (_softplus(others - proposed) - _softplus(others - current))).sum(axis=0)
        gain = ((fitted.score[entry] - self.total[entry]) * (proposed - current) - lost) / self.dispersion
        gain += _log_prior(proposed, self.width) - _log_prior(current, self.width)
        self.strength[entry] = np.where(chance < gain, proposed, current)

    def _widen(self, normal: np.ndarray, chance: np.ndarray) -> None:
        entries = len(self.strength)
        proposed = self.width * np.exp(1.8 * normal / np.sqrt(entries))
        gain = (_log_prior(self.strength, proposed) - _log_prior(self.strength, self.width)).sum(axis=0)
        gain += _log_width(proposed) - _log_width(self.width) - entries * np.log(proposed / self.width)
        self.width = np.where(chance < gain, proposed, self.width)

    def _stretch(self, normal: np.ndarray, chance: np.ndarray) -> None:
        factor = np.exp(0.35 * normal)
        proposed = self.strength * factor
        gain = (self._log_likelihood(proposed) - self._log_likelihood(self.strength)) / self.dispersion
        gain += _log_width(self.width * factor) - _log_width(self.width)
        gain += (_log_prior(proposed, self.width * factor) - _log_prior(self.strength, self.width)).sum(axis=0)
        self.strength = np.where(chance < gain, proposed, self.strength)
        self.width = np.where(chance < gain, self.width * factor, self.width)

    def _log_likelihood(self, strength: np.ndarray) -> np.ndarray:
        total = (self.fitted.score[:, None] * strength).sum(axis=0)
        for entry, opponents in enumerate(self.opponents):
            below = opponents[opponents < entry]
            weight = self.fitted.weight[entry, below][:, None]
            total -= (weight * (strength[entry] + _softplus(strength[below] - strength[entry]))).sum(axis=0)
        return total


def _softplus(gap: np.ndarray) -> np.ndarray:
    return np.asarray(np.maximum(gap, 0) + np.log1p(np.exp(-np.abs(gap))))


def _log_prior(strength: np.ndarray, width: np.ndarray) -> np.ndarray:
    return np.asarray(-np.log1p((strength / width) ** 2) - (strength / LIMIT_WIDTH) ** 2 / 2)


def _prior_slope(strength: np.ndarray, width: np.ndarray | float) -> np.ndarray:
    return np.asarray(2 / (width**2 + strength**2) + LIMIT_WIDTH**-2)


def _log_width(width: np.ndarray) -> np.ndarray:
    return np.asarray(np.log(width) - np.log1p((width / WIDTH) ** 2))

"""The standings of a finished tournament: a fit to all blocks, ranks with their ranges, and the podium."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, fsum, inf, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from msgspec import UNSET, to_builtins

from gangland_ladder.common.documents import Interval
from gangland_ladder.rating.bradley_terry import BlockResult, Counts, Fit, Tally, count_blocks, draws, fit
from gangland_ladder.rating.standings_document import OutsideRow, StandingsDocument, StandingsRow, Top

# The standings.


LEVEL = 0.95
SHOWN_DIGITS = 6
PODIUM = 3
ENOUGH_BLOCKS = 10  # If one of the first three has fewer blocks, no probabilities of being the best are shown.
SUFFICIENCY = 0.8  # Probability that the number of games needed is sufficient, if the measured differences are right.
MAX_GAMES_FACTOR = 100.0  # If more games are needed than this multiple of the games so far, the number is not shown.


@dataclass(frozen=True, slots=True)
class Share:
    """A share of games with its interval; values are 0 to 1."""

    value: float
    low: float
    high: float

    @property
    def interval(self) -> Interval:
        """The share with its interval, rounded."""
        return Interval.rounded(self.value, self.low, self.high)


@dataclass(frozen=True, slots=True)
class RankedEntry:
    """One entry's line in the standings."""

    entry: int
    rank: int  # by strength; entries of equal strength share a rank, and entries without a block share the last rank
    # rank_low, rank_high: the range of ranks that the entry may truly have
    rank_low: int
    rank_high: int
    coverage: float  # the probability that this range contains the true rank
    best: float | None  # the probability of being the best of all entries; None if unknown, see `Ranks`
    # next_below, next_above: the nearest entries below and above it that are not separated from it, or None
    next_below: int | None
    next_above: int | None
    blocks: int
    # won, tied, lost: number of opponents whose mean place in a block was worse, equal or better
    won: int
    tied: int
    lost: int
    block_score: Fraction | None  # the mean share of opponents that the entry beat in a block, where a tie counts half
    against_all: Share | None  # the expected mean block score against each other entry, whether they have met or not
    # strength, error: the fitted strength in logits, and its standard deviation
    strength: float
    error: float

    @property
    def range(self) -> str:
        """The range of ranks as text, such as "3" or "2-4"."""
        return str(self.rank_low) if self.rank_low == self.rank_high else f"{self.rank_low}-{self.rank_high}"

    def document(self, best: float | None) -> StandingsRow:
        """Return the line as a document, with rounded numbers."""
        return StandingsRow(
            entry=self.entry,
            rank=self.rank,
            range=self.range,
            holds=round(self.coverage, SHOWN_DIGITS),
            best=best,
            next_below=self.next_below,
            next_above=self.next_above,
            blocks=self.blocks,
            won=self.won,
            tied=self.tied,
            lost=self.lost,
            block_score=None if self.block_score is None else round(float(self.block_score), SHOWN_DIGITS),
            against_all=None if self.against_all is None else self.against_all.interval,
            strength=round(self.strength, SHOWN_DIGITS),
            error=round(self.error, SHOWN_DIGITS),
        )


@dataclass(frozen=True, slots=True)
class OutsideEntry:
    """An entry outside the ranking, such as a house bot; its games count for its opponents."""

    entry: int
    strength: float
    tally: Tally

    def document(self) -> OutsideRow:
        """Return the line as a document, with rounded numbers."""
        tally = self.tally
        score = None if tally.mean_score is None else round(float(tally.mean_score), SHOWN_DIGITS)
        strength = round(self.strength, SHOWN_DIGITS)
        return OutsideRow(self.entry, tally.blocks, tally.won, tally.tied, tally.lost, score, strength)


@dataclass(frozen=True)
class FinalStandings:
    """The final standings of a tournament's entries; parts that take long to compute are computed on first use."""

    # the probability with which rank ranges are right on average, and every interval individually. Two entries are
    # separated if it is known with this probability which one is better
    level: float
    # counts, fitted: for the ranked entries; after their columns, `fitted.weight` has columns for the other entries
    counts: Counts
    fitted: Fit
    whole_fit: Fit  # the fit to all entries
    ranked: Sequence[int]  # indexes of the ranked entries in `whole_fit`
    outside: tuple[OutsideEntry, ...] = ()

    @cached_property
    def samples(self) -> np.ndarray:
        """Draws of the ranked entries' strengths, draws x entries."""
        samples = draws(self.whole_fit)
        return samples[:, self.ranked] if self.outside else samples

    @cached_property
    def ranks(self) -> Ranks:
        """The ranks and their ranges."""
        return ranks(self.fitted, self.samples, self.level)

    @cached_property
    def rows(self) -> tuple[RankedEntry, ...]:
        """The lines, best first; entries of equal strength share a rank, and the lower entry number comes first."""
        shares = self._against_all()
        entries, rank = self.counts.entries, self.ranks.rank
        order = sorted(range(len(entries)), key=lambda index: (rank[index], entries[index]))
        error = self._in_order(self.samples.std(axis=0)[:, None])[:, 0]
        open_pairs = ~(self.ranks.ahead | self.ranks.ahead.T)[np.ix_(order, order)]
        return tuple(
            self._row(index, order, at, open_pairs[at], shares[index], error[index]) for at, index in enumerate(order)
        )

    @property
    def podium(self) -> tuple[RankedEntry, ...]:
        """The lines of entries with a block in the first three ranks; more than three lines if ranks are shared."""
        return tuple(row for row in self.rows if row.rank <= PODIUM and row.blocks)

    @property
    def has_enough_blocks(self) -> bool:
        """Whether enough games have been played to show the first three's probabilities of being the best."""
        return bool(self.podium) and all(row.blocks >= ENOUGH_BLOCKS and row.best is not None for row in self.podium)

    def expected(self, entry: int, other: int) -> Share | None:
        """Return the share of games that `entry` should finish ahead of `other`; None if no blocks connect them.

        Raises ValueError: no such entry, or the same entry twice.
        """
        one, two = self._position(entry), self._position(other)
        if one == two:
            raise ValueError(f"entry {entry!r} cannot be compared with itself")
        variance = float(self.fitted.variance[one, two])
        if variance == inf:
            return None
        gap = float(self.fitted.strength[one] - self.fitted.strength[two])
        margin = NormalDist().inv_cdf((1 + self.level) / 2) * sqrt(variance)
        return Share(_expit(gap), _expit(gap - margin), _expit(gap + margin))

    def top(self, k: int) -> Top:
        """Return the entries that are, or may be, among the first k. Raises ValueError: fewer than k entries."""
        entries, size = self.counts.entries, len(self.counts.entries)
        if not 1 <= k <= size:
            raise ValueError(f"expected a number from 1 to {size}, not {k!r}")
        above, below = self.ranks.ahead.sum(axis=0), self.ranks.ahead.sum(axis=1)
        inside = [entry for entry, down in zip(entries, below, strict=True) if down >= size - k]
        unknown = [entry for entry, up, down in zip(entries, above, below, strict=True) if up < k and down < size - k]
        settled = len(inside) == k
        return Top(k, settled, inside, unknown, 0 if settled else self._games_needed(k))

    def document(self, first: Iterable[int] = (1, 3)) -> StandingsDocument:
        """Return the standings as a document, with the first k entries for each k in `first` that is possible."""
        coverage = [row.coverage for row in self.rows]
        return StandingsDocument(
            level=self.level,
            holds=round(fsum(coverage) / len(coverage), SHOWN_DIGITS) if coverage else None,
            blocks=sum(kind.blocks for kind in self.counts.kinds),
            games=self.counts.games,
            enough_blocks=ENOUGH_BLOCKS,
            enough=self.has_enough_blocks,
            podium=[row.entry for row in self.podium],
            rows=[row.document(best) for row, best in zip(self.rows, self._shown_best(), strict=True)],
            top=[self.top(k) for k in first if k <= len(self.counts.entries)],
            outside=[entry.document() for entry in self.outside] or UNSET,
        )

    def _shown_best(self) -> list[float | None]:
        best = [row.best if self.has_enough_blocks else None for row in self.rows]
        if None in best:
            return [None if share is None else round(share, SHOWN_DIGITS) for share in best]
        # The sum of the probabilities must also be 1 after rounding. The ranks that lost most by rounding get the
        # remainder, divided equally among their lines. If it cannot be divided equally, as with three equal entries,
        # probabilities are not rounded.
        unit, lines = 10**SHOWN_DIGITS, Counter(row.rank for row in self.rows)
        exact = {row.rank: (row.best or 0.0) * unit for row in self.rows}
        rounded = {rank: int(value) for rank, value in exact.items()}
        above = dict(zip([*rounded][1:], rounded, strict=False))
        remainder = unit - sum(rounded[rank] * lines[rank] for rank in rounded)
        for rank in sorted(exact, key=lambda rank: (rounded[rank] - exact[rank], rank)):
            if lines[rank] <= remainder and (rank not in above or rounded[rank] < rounded[above[rank]]):
                rounded[rank], remainder = rounded[rank] + 1, remainder - lines[rank]
        return best if remainder else [rounded[row.rank] / unit for row in self.rows]

    def to_json(self) -> dict[str, Any]:
        """Return the document as plain JSON values, in the form that archives and the site store."""
        values: dict[str, Any] = to_builtins(self.document())
        return values

    def _games_needed(self, k: int) -> int | None:
        """Return the number of further games that settle the first k places; None if unknown or too high."""
        # Variances are inversely proportional to the number of games. So with the same schedule, the slowest pair is
        # separated after (needed standard errors / present standard errors) squared times the present games.
        order = sorted(range(len(self.ranks.rank)), key=lambda index: self.ranks.rank[index])
        above, below = order[:k], order[k:]
        strength = np.round(self.fitted.strength, DIGITS)
        gap = strength[above][:, None] - strength[below][None, :]
        samples = self.samples
        errors = np.array([[float(np.std(samples[:, one] - samples[:, other])) for other in below] for one in above])
        open_pairs = ~self.ranks.ahead[np.ix_(above, below)]
        ratios = np.divide(errors, gap, out=np.full(gap.shape, np.inf), where=gap > 0)
        ratios[self.ranks.better[np.ix_(above, below)] == 0.5] = np.inf
        standard_errors = NormalDist().inv_cdf(self.level) + NormalDist().inv_cdf(SUFFICIENCY)
        factor = (standard_errors * float(np.max(ratios, where=open_pairs, initial=0.0))) ** 2
        return max(1, ceil(self.counts.games * (factor - 1))) if factor <= MAX_GAMES_FACTOR else None

    def _position(self, entry: int) -> int:
        if entry not in self.counts.entries:
            raise ValueError(f"there is no entry {entry!r} in these standings")
        return self.counts.entries.index(entry)

    def _in_order(self, values: np.ndarray) -> np.ndarray:
        """Return values (entries x any shape), made equal for entries of equal strength with the same opponents."""
        strength = np.round(self.fitted.strength, DIGITS) + 0.0
        return ordered_values(values, opponent_groups(self.fitted.weight, strength), strength)

    def _row(
        self, index: int, order: Sequence[int], at: int, open_pairs: np.ndarray, against_all: Share | None, error: float
    ) -> RankedEntry:
        tally, ranks, entries = self.counts.tallies[index], self.ranks, self.counts.entries
        below, above = np.nonzero(open_pairs[at + 1 :])[0], np.nonzero(open_pairs[:at])[0]
        return RankedEntry(
            entry=entries[index],
            rank=ranks.rank[index],
            rank_low=ranks.low[index],
            rank_high=ranks.high[index],
            coverage=ranks.coverage[index],
            best=ranks.best[index],
            next_below=entries[order[at + 1 + below[0]]] if len(below) else None,
            next_above=entries[order[above[-1]]] if len(above) else None,
            blocks=tally.blocks,
            won=tally.won,
            tied=tally.tied,
            lost=tally.lost,
            block_score=tally.mean_score,
            against_all=against_all,
            strength=round(float(self.fitted.strength[index]), DIGITS) + 0.0,
            error=float(error),
        )

    def _against_all(self) -> list[Share | None]:
        strength, part = self.fitted.strength[None, :], self.fitted.part
        ends = ((1 - self.level) / 2, (1 + self.level) / 2)
        shares = np.full((len(part), 3), 0.5)
        for index, number in enumerate(part):
            others = np.nonzero(part == number)[0]
            others = others[others != index]
            if len(others):
                samples = _shares(self.samples, index, others)
                shares[index] = (float(_shares(strength, index, others)[0]), *np.quantile(samples, ends))
        shares = self._in_order(shares)
        has_opponents = np.bincount(part, minlength=len(part))[part] > 1
        return [
            Share(float(value), min(float(low), float(value)), max(float(high), float(value))) if is_known else None
            for (value, low, high), is_known in zip(shares, has_opponents, strict=True)
        ]


def standings(
    blocks: Iterable[BlockResult], entries: Iterable[int] = (), *, outside: Collection[int] = (), level: float = LEVEL
) -> FinalStandings:
    """Return the standings for blocks in any order. Raises ValueError: an invalid block or level."""
    if not 0 < level < 1:
        raise ValueError(f"the level must be between 0 and 1, not {level!r}")
    counts = count_blocks(blocks, entries)
    whole_fit = fit(counts)
    indexes = range(len(counts.entries))
    ranked = [index for index in indexes if counts.entries[index] not in outside]
    others = [index for index in indexes if counts.entries[index] in outside]
    if not others:
        return FinalStandings(level, counts, whole_fit, whole_fit, ranked)
    strengths = {index: round(float(whole_fit.strength[index]), DIGITS) + 0.0 for index in others}
    rows = [OutsideEntry(counts.entries[index], strengths[index], counts.tallies[index]) for index in others]
    rows.sort(key=lambda row: (-row.strength, row.entry))
    counts_ranked = replace(
        counts,
        entries=tuple([counts.entries[index] for index in ranked]),
        tallies=tuple([counts.tallies[index] for index in ranked]),
    )
    return FinalStandings(level, counts_ranked, _fit_of(whole_fit, ranked, others), whole_fit, ranked, tuple(rows))


def _fit_of(whole_fit: Fit, ranked: Sequence[int], others: Sequence[int]) -> Fit:
    """Return the fit of the ranked entries, which keep the weights of their games against the others."""
    return replace(
        whole_fit,
        strength=whole_fit.strength[ranked],
        variance=whole_fit.variance[np.ix_(ranked, ranked)],
        part=whole_fit.part[ranked],
        weight=whole_fit.weight[np.ix_(ranked, [*ranked, *others])],
        score=whole_fit.score[ranked],
    )


def _shares(strength: np.ndarray, entry: int, others: np.ndarray) -> np.ndarray:
    """Return an entry's mean expected share against the others, one value per draw."""
    return np.asarray((1 + np.tanh((strength[:, [entry]] - strength[:, others]) / 2)).mean(axis=1) / 2)


def _expit(logit: float) -> float:
    return 1 / (1 + exp(-logit)) if logit > 0 else exp(max(logit, -700.0)) / (1 + exp(max(logit, -700.0)))


# Ranks from draws: their ranges, the probabilities of the first place, and the pairs that are separated.
#
# Of two entries with the same opponents, the one with worse results must not get a better range, probability or
# separation. The exact posterior has this property. The draws may not have it because of their random errors, which are
# corrected here.


DIGITS = 9  # Number of decimals in which equal strengths must agree.
SLACK = 1.2  # The probability that a range does not contain the rank is at most this multiple of the average.
_STEPS = 40
_SEED = 1


@dataclass(frozen=True, slots=True)
class Ranks:
    """The ranks by strength and their ranges, one per entry in the order of `Counts.entries`."""

    rank: tuple[int, ...]  # 1 is the best; equal strengths share a rank, and entries without a block share the last one
    # low, high: the limits of the range of ranks
    low: tuple[int, ...]
    high: tuple[int, ...]
    coverage: tuple[float, ...]  # the probability that the range contains the true rank
    # the probability of being the best of all entries; None if blocks do not connect all entries that played
    best: tuple[float | None, ...]
    better: np.ndarray  # entries x entries, the probability that the first is better; 1/2 if no blocks connect them
    ahead: np.ndarray  # entries x entries, whether the first is separated from the second, and better


def ranks(fitted: Fit, samples: np.ndarray, level: float) -> Ranks:
    """Return ranks with their ranges, from draws of strengths. Raises ValueError: the level is not between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"the level must be between 0 and 1, not {level!r}")
    strength = np.round(fitted.strength, DIGITS) + 0.0
    is_unplayed = ~fitted.weight.any(axis=1)
    values = np.where(is_unplayed, -np.inf, strength)
    rank = tuple(1 + int((values > value).sum()) for value in values)
    groups = opponent_groups(fitted.weight, strength)
    probabilities = _cumulative_ranks(fitted.part, samples)
    cumulative = ordered_values(probabilities, groups, strength)
    low, high, coverage = _ranges(cumulative, fitted.part, level)
    is_connected = len(set(fitted.part[~is_unplayed].tolist())) == 1
    first = first_shares(probabilities[:, :1], cumulative[:, :1], groups)
    best = tuple(p if is_connected and not unplayed else None for p, unplayed in zip(first, is_unplayed, strict=True))
    better = _better(fitted.part, samples, groups, strength)
    return Ranks(rank, low, high, coverage, best, better, better >= level - 10**-DIGITS)


def opponent_groups(weight: np.ndarray, strength: np.ndarray) -> list[np.ndarray]:
    """Return the sets of two or more entries that have met the same opponents equally often, each sorted best first."""
    mark = np.random.RandomState(_SEED).random_sample(weight.shape[1])
    sums = (weight * mark).sum(axis=1)  # for two such entries, these differ only by their games with each other
    remaining, sets = np.nonzero(weight.any(axis=1))[0], []
    while len(remaining):
        first = remaining[0]
        apart = sums[remaining] - sums[first] - weight[first, remaining] * (mark[first] - mark[remaining])
        same = np.abs(apart) <= 10**-DIGITS * (1 + sums[first])
        members, remaining = remaining[same], remaining[~same]
        if len(members) > 1:
            sets.append(members[np.lexsort((members, -strength[members]))])
    return sets


def ordered_values(values: np.ndarray, groups: list[np.ndarray], strength: np.ndarray) -> np.ndarray:
    """Return adjusted values (entries x any shape): none is above that of a stronger entry with the same opponents."""
    result = values.copy()
    for members in groups:
        means = result[members]
        _, group = np.unique(-strength[members], return_inverse=True)
        means = np.array([means[group == number].mean(axis=0) for number in range(group.max() + 1)])
        falling = np.minimum.accumulate(means, axis=0)
        rising = np.maximum.accumulate(means[::-1], axis=0)[::-1]
        result[members] = ((falling + rising) / 2)[group]
    return result


def first_shares(probabilities: np.ndarray, ordered: np.ndarray, groups: list[np.ndarray]) -> list[float]:
    """Return each entry's probability of being first, adjusted as in `ordered_values`, but with the same sum."""
    first = ordered.copy()
    for members in groups:  # if sets of equal entries differ in size, the adjustment changes the sum
        if (total := first[members].sum()) > 0:
            first[members] *= probabilities[members].sum() / total
    return [float(row) for row in first.sum(axis=1)]


def _cumulative_ranks(part: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """Return the probability that each entry has each rank or a better one within its part: entries x ranks."""
    size = len(part)
    cumulative = np.ones((size, size))
    for number in np.unique(part):
        members = np.nonzero(part == number)[0]
        order = (-samples[:, members]).argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
        for at, entry in enumerate(members):
            counted = np.bincount(order[:, at], minlength=len(members))
            cumulative[entry, : len(members)] = counted.cumsum() / len(samples)
    return cumulative


def _ranges(
    cumulative: np.ndarray, part: np.ndarray, level: float
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[float, ...]]:
    """Return the narrowest ranges that are right with this probability on average, and not much less for any entry."""
    size = len(cumulative)
    if not size:
        return (), (), ()
    least = 1 - SLACK * (1 - level)
    lows, highs, coverage = _central(cumulative, 1 - level)
    for step in range(1, _STEPS + 1):
        candidate = _central(cumulative, (1 - level) * (1 + (2 * SLACK - 1) * step / _STEPS))
        if candidate[2].mean() >= level and candidate[2].min() >= least:
            lows, highs, coverage = candidate
    other_parts = size - np.bincount(part, minlength=size)[part]
    return (
        tuple(int(low) + 1 for low in lows),
        tuple(int(high) + 1 for high in highs + other_parts),
        tuple(float(share) for share in coverage),
    )


def _central(cumulative: np.ndarray, miss_probability: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ranges that miss at most half of `miss_probability` on each side, and their probabilities."""
    rows, room = np.arange(len(cumulative)), 10**-DIGITS
    lows = (cumulative > miss_probability / 2 + room).argmax(axis=1)
    highs = (cumulative >= 1 - miss_probability / 2 - room).argmax(axis=1)
    before = np.where(lows > 0, cumulative[rows, np.maximum(lows - 1, 0)], 0.0)
    return lows, highs, cumulative[rows, highs] - before


def _better(part: np.ndarray, samples: np.ndarray, groups: list[np.ndarray], strength: np.ndarray) -> np.ndarray:
    size = len(part)
    better = np.full((size, size), 0.5)
    for entry in range(size):
        better[entry] = (samples[:, entry, None] > samples).mean(axis=0)
    better[part[:, None] != part[None, :]] = 0.5
    np.fill_diagonal(better, 0.5)
    better = ordered_values(1 - ordered_values(better, groups, strength).T, groups, strength)
    better = (better + 1 - better.T) / 2
    np.fill_diagonal(better, 0.5)
    return better

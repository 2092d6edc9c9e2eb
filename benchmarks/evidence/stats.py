"""The little statistics that the evidence needs, on the standard library alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
"""How many standard errors a 95% interval reaches to each side."""

_TERMS = 10_000
_EXACT = 1e-15


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95% interval."""

    value: float
    low: float
    high: float

    @property
    def reach(self) -> float:
        """Half the width."""
        return (self.high - self.low) / 2

    def holds(self, value: float) -> bool:
        """Return whether the interval covers a value."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """A chi-square test: the statistic, its degrees of freedom, the number of observations."""

    statistic: float
    freedom: int
    count: int

    @property
    def p(self) -> float:
        """Return how likely a statistic at least as great is by chance alone."""
        return chi_square_survival(self.statistic, self.freedom)

    def __add__(self, other: ChiSquare) -> ChiSquare:
        """Pool two tests of different observations."""
        return ChiSquare(self.statistic + other.statistic, self.freedom + other.freedom, self.count + other.count)


NO_TEST = ChiSquare(0.0, 0, 0)


def chi_square_survival(statistic: float, freedom: int) -> float:
    """Return the chance that a chi-square variable with these degrees of freedom is at least so great."""
    if statistic <= 0 or freedom == 0:
        return 1.0
    shape, x = freedom / 2, statistic / 2
    scale = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    return 1 - _lower_series(shape, x) * scale if x < shape + 1 else _upper_fraction(shape, x) * scale


def _lower_series(shape: float, x: float) -> float:
    """The series of the lower incomplete gamma function, without its scale; quick for x below shape + 1."""
    term = total = 1 / shape
    for step in range(1, _TERMS):
        term *= x / (shape + step)
        total += term
        if term < total * _EXACT:
            break
    return total


def _upper_fraction(shape: float, x: float) -> float:
    """The continued fraction of the upper one, by Lentz's method; quick for x above shape + 1."""
    b = x + 1 - shape
    c, d = math.inf, 1 / b
    fraction = d
    for step in range(1, _TERMS):
        a = -step * (step - shape)
        b += 2
        d = 1 / (a * d + b)
        c = b + a / c
        fraction *= c * d
        if abs(c * d - 1) < _EXACT:
            break
    return fraction


def chi_square(observed: Sequence[int], chances: Sequence[float]) -> ChiSquare:
    """Test counts against chances that are known beforehand and add up to 1."""
    count = sum(observed)
    if not count:
        return NO_TEST
    statistic = sum(
        (seen - count * chance) ** 2 / (count * chance) for seen, chance in zip(observed, chances, strict=True)
    )
    return ChiSquare(statistic, len(observed) - 1, count)


def chi_square_even(observed: Sequence[int]) -> ChiSquare:
    """Test counts of things that are equally likely."""
    return chi_square(observed, [1 / len(observed)] * len(observed))


def mean_interval(counts: Mapping[float, int]) -> Interval:
    """Return the mean of values, given how often each came, with its normal interval.

    Raises:
        ValueError: no value.
    """
    count = sum(counts.values())
    if not count:
        raise ValueError("no value to take the mean of")
    mean, variance = moments(counts)
    reach = Z * math.sqrt(variance / count)
    return Interval(mean, mean - reach, mean + reach)


def moments(counts: Mapping[float, int]) -> tuple[float, float]:
    """Return mean and sample variance of values, given how often each came; the variance of one value is 0."""
    count = sum(counts.values())
    mean = math.fsum(value * times for value, times in counts.items()) / count
    squares = math.fsum((value - mean) ** 2 * times for value, times in counts.items())
    return mean, squares / max(count - 1, 1)


def quantile(counts: Mapping[int, int], share: float) -> int:
    """Return the least value that at least this share of all do not exceed."""
    wanted, seen = share * sum(counts.values()), 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= wanted:
            return value
    raise ValueError("no value to take a quantile of")


def wilson(hits: float, count: int) -> Interval:
    """Return a share with Wilson's interval, which is sound for rare hits too; of nothing it is 0 to 1."""
    if not count:
        return Interval(0.5, 0.0, 1.0)
    share = hits / count
    widened = 1 + Z * Z / count
    middle = (share + Z * Z / (2 * count)) / widened
    reach = Z * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count)) / widened
    return Interval(share, max(0.0, middle - reach), min(1.0, middle + reach))


def bootstrap_ratio(
    above: Sequence[float],
    below: Sequence[float],
    statistic: Callable[[Mapping[float, int]], float],
    seed: bytes,
    draws: int,
) -> Interval | None:
    """Return the ratio of a statistic of two samples, with its percentile interval by the bootstrap.

    Args:
        statistic: of values, given how often each came; when it is 0 below, there is no ratio.
        draws: how many pairs of samples are drawn, with replacement, from the two given.
    """
    random = Random(seed)

    def again(sample: Sequence[float]) -> float:
        return statistic(Counter(random.choices(sample, k=len(sample))))

    bottom = statistic(Counter(below))
    if not bottom:
        return None
    drawn = [(again(above), again(below)) for _ in range(draws)]
    ratios = sorted(top / bottom if bottom else math.inf for top, bottom in drawn)
    tail = (1 - CONFIDENCE) / 2
    return Interval(statistic(Counter(above)) / bottom, ratios[int(tail * draws)], ratios[int((1 - tail) * draws)])


def variance(counts: Mapping[float, int]) -> float:
    """Return the sample variance of values, given how often each came."""
    return moments(counts)[1]

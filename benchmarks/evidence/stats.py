"""The statistics of the evidence, with only the standard library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
"""The distance of a 95% interval's limits from its center, in standard errors."""

LIKELY = 0.05
"""A p value below this is unlikely, before correction for the number of tests."""
LEAST = 0.0001
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
        """Return whether the interval contains a value."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """A chi-square test: the statistic, its degrees of freedom, the number of observations."""

    statistic: float
    freedom: int
    count: int

    @property
    def p(self) -> float:
        """Return the probability of a statistic at least as large by chance."""
        return chi_square_survival(self.statistic, self.freedom)

    def __add__(self, other: ChiSquare) -> ChiSquare:
        """Pool two tests of different observations."""
        return ChiSquare(self.statistic + other.statistic, self.freedom + other.freedom, self.count + other.count)


NO_TEST = ChiSquare(0.0, 0, 0)


def chi_square_survival(statistic: float, freedom: int) -> float:
    """Return the probability that a chi-square variable with these degrees of freedom is at least this large."""
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
    """The continued fraction of the upper incomplete gamma function, by Lentz's method; quick for x above shape + 1."""
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
        (observed - count * chance) ** 2 / (count * chance) for observed, chance in zip(observed, chances, strict=True)
    )
    return ChiSquare(statistic, len(observed) - 1, count)


def chi_square_even(observed: Sequence[int]) -> ChiSquare:
    """Test counts of things that are equally likely."""
    return chi_square(observed, [1 / len(observed)] * len(observed))


def mean_interval(counts: Mapping[float, int]) -> Interval:
    """Return the mean of values with their counts, and its normal interval.  Raises ValueError: there are no values."""
    count = sum(counts.values())
    if not count:
        raise ValueError("no value to take the mean of")
    mean = math.fsum(value * times for value, times in counts.items()) / count
    squares = math.fsum((value - mean) ** 2 * times for value, times in counts.items())
    reach = Z * math.sqrt(squares / max(count - 1, 1) / count)
    return Interval(mean, mean - reach, mean + reach)


def quantile(counts: Mapping[int, int], share: float) -> int:
    """Return the smallest value that at least this share of all values do not exceed."""
    limit, observed = share * sum(counts.values()), 0
    for value in sorted(counts):
        observed += counts[value]
        if observed >= limit:
            return value
    raise ValueError("no value to take a quantile of")


def wilson(hits: float, count: int) -> Interval:
    """Return a share with Wilson's interval, which also works for rare hits; without observations it is 0 to 1."""
    if not count:
        return Interval(0.5, 0.0, 1.0)
    share = hits / count
    widened = 1 + Z * Z / count
    middle = (share + Z * Z / (2 * count)) / widened
    reach = Z * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count)) / widened
    return Interval(share, max(0.0, middle - reach), min(1.0, middle + reach))


def p_value(chance: float) -> str:
    """Return a p value with four digits; a very small value is not shown as 0."""
    return f"{chance:.4f}" if chance >= LEAST else f"<{LEAST}"


def give_or_take(interval: Interval, digits: int = 3) -> str:
    """Return an estimate with the half-width of its interval."""
    return f"{interval.value:.{digits}f} ± {interval.reach:.{digits}f}"

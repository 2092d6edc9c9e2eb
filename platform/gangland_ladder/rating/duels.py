"""The test of a duel: is one bot better than another?"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import exp, fsum, isfinite, log

# Elo: differences in playing strength and shares of a table.


LOGIT = 400 / log(10)  # Points of Elo per unit of the strengths of `final_standings`, which are logits.


def score_of(elo: float) -> float:
    """Return the expected score, 0 to 1, of a bot that is better by `elo` points."""
    return 1 / (1 + exp(-elo / LOGIT))


def elo_of(score: float) -> float:
    """Return a score in points of Elo. Raises ValueError: it is not strictly between 0 and 1."""
    if not 0 < score < 1:
        raise ValueError(f"a score between 0 and 1 has an Elo, {score!r} has none")
    return LOGIT * log(score / (1 - score))


# The generalized sequential probability ratio test, which may be looked at after every block and stops by itself.
#
# Two hypotheses are weighed against each other: the new bot is worth `elo0` more than the old one, or `elo1` more. How
# block scores scatter is not assumed: for either hypothesis the distribution is taken that makes the observed scores
# likeliest among all with that mean (empirical likelihood). At two seats, where a block scores 0, 1/4, 1/2, 3/4 or 1,
# this is the pentanomial test that chess engines use. Wald (1945) gives the bounds.


ASSUMED = 1e-3  # Assumed part of a block, won outright, and as much lost outright: with it every mean is possible.
LARGEST_ELO = 1000.0
_STEPS = 200
_ENOUGH = 1e-13


class DuelVerdict(StrEnum):
    """The verdict of a test."""

    OPEN = "open"  # it goes on
    ACCEPTED = "accepted"  # elo1, rather than elo0
    REJECTED = "rejected"  # elo0, rather than elo1
    UNDECIDED = "undecided"  # the most blocks were played, and neither bound was reached


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The two hypotheses of a test and its error rates.

    Attributes:
        elo0, elo1: by how many points of Elo the new bot is better, under either hypothesis.
        alpha: the share of tests that may end accepted if the truth is elo0 or less.
        beta: the share of tests that may end rejected if the truth is elo1 or more.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.025
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not all(map(isfinite, (self.elo0, self.elo1))) or not -LARGEST_ELO <= self.elo0 < self.elo1 <= LARGEST_ELO:
            raise ValueError(
                f"expected elo0 below elo1, both within {LARGEST_ELO:.0f} of 0, not {self.elo0!r} and {self.elo1!r}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"expected alpha and beta between 0 and 0.5, not {self.alpha!r} and {self.beta!r}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio that accepts elo0."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio that accepts elo1."""
        return log((1 - self.beta) / self.alpha)


class DuelTest:
    """A sequential test that counts block scores in their canonical order."""

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self.scores: Counter[Fraction] = Counter()

    def add(self, scores: Iterable[Fraction]) -> None:
        """Count further blocks. Raises ValueError: a score outside of 0 to 1."""
        for score in scores:
            if not 0 <= score <= 1:
                raise ValueError(f"a block scores 0 to 1, not {score}")
            self.scores[score] += 1

    @property
    def blocks(self) -> int:
        """The number of blocks counted."""
        return self.scores.total()

    @property
    def ratio(self) -> float:
        """The log-likelihood ratio of elo1 against elo0; 0 before the first block."""
        return log_ratio(self.scores, score_of(self.hypotheses.elo0), score_of(self.hypotheses.elo1))

    @property
    def verdict(self) -> DuelVerdict:
        """The verdict so far; a test may stop only between matches."""
        ratio = self.ratio
        if ratio >= self.hypotheses.upper:
            return DuelVerdict.ACCEPTED
        return DuelVerdict.REJECTED if ratio <= self.hypotheses.lower else DuelVerdict.OPEN


def log_ratio(scores: Counter[Fraction], mean0: float, mean1: float) -> float:
    """Return the log-likelihood ratio of two means strictly between 0 and 1, each under its likeliest distribution."""
    counts = {0.0: ASSUMED, 1.0: ASSUMED}
    for score, times in scores.items():
        counts[float(score)] = counts.get(float(score), 0.0) + times
    counted = sorted(counts.items())
    tilt0, tilt1 = _tilt(counted, mean0), _tilt(counted, mean1)
    return fsum(times * log((1 + tilt0 * (score - mean0)) / (1 + tilt1 * (score - mean1))) for score, times in counted)


def _tilt(counted: list[tuple[float, float]], mean: float) -> float:
    """Return t such that weights n / (1 + t (score - mean)) have the mean, by Newton's method."""
    # The likeliest distribution with a given mean has these weights (Owen, 1988).
    low, high = -1 / (1 - mean), 1 / mean
    tilt = 0.0
    for _ in range(_STEPS):
        pull = slope = 0.0
        for score, times in counted:
            part = (score - mean) / (1 + tilt * (score - mean))
            pull += times * part
            slope += times * part * part
        if pull > 0:
            low = tilt
        else:
            high = tilt
        step = tilt + pull / slope
        after = step if low < step < high else (low + high) / 2
        if abs(after - tilt) < _ENOUGH:
            return after
        tilt = after
    return tilt

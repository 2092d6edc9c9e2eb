"""The statistical test of a duel, which decides whether one bot is better than another."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import exp, fsum, isfinite, log

# Elo: differences in playing strength, and the expected scores that follow from them.


LOGIT = 400 / log(10)  # Elo points per unit of strength in `final_standings`, where strengths are logits.


def score_of(elo: float) -> float:
    """Return the expected score, from 0 to 1, of a bot that is better by `elo` points."""
    return 1 / (1 + exp(-elo / LOGIT))


def elo_of(score: float) -> float:
    """Return the difference in Elo points for a score. Raises ValueError: it is not strictly between 0 and 1."""
    if not 0 < score < 1:
        raise ValueError(f"expected a score strictly between 0 and 1, not {score!r}")
    return LOGIT * log(score / (1 - score))


# The generalized sequential probability ratio test. It can be evaluated at any time, and usually ends after a few
# blocks.
#
# It compares two hypotheses: the new bot is better than the old one by `elo0` points, or by `elo1` points. It assumes
# no distribution of block scores: for each hypothesis it uses the distribution with that mean that makes the observed
# scores most likely (empirical likelihood). At two seats, where a block scores 0, 1/4, 1/2, 3/4 or 1, this is the
# pentanomial test used for chess engines. The bounds are Wald's (1945).


# Prior: this fraction of a block counts as won outright, and the same fraction as lost, so that any mean is possible.
ASSUMED = 1e-3
MAX_ELO = 1000.0
_STEPS = 200
_TOLERANCE = 1e-13


class DuelVerdict(StrEnum):
    """The verdict of a test."""

    OPEN = "open"  # not decided yet
    ACCEPTED = "accepted"  # elo1 is accepted
    REJECTED = "rejected"  # elo0 is accepted
    UNDECIDED = "undecided"  # the maximum number of blocks was played without reaching a bound


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The two hypotheses of a test, and its error rates."""

    # elo0, elo1: the difference in Elo points by which the new bot is better, under each hypothesis
    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.025  # maximum share of tests that accept elo1 although the true difference is elo0 or less
    beta: float = 0.05  # maximum share of tests that accept elo0 although the true difference is elo1 or more

    def __post_init__(self) -> None:
        if not all(map(isfinite, (self.elo0, self.elo1))) or not -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO:
            raise ValueError(
                f"expected elo0 below elo1, both within {MAX_ELO:.0f} of 0, not {self.elo0!r} and {self.elo1!r}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"expected alpha and beta between 0 and 0.5, not {self.alpha!r} and {self.beta!r}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which elo0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which elo1 is accepted."""
        return log((1 - self.beta) / self.alpha)


class DuelTest:
    """A sequential test that counts the scores of blocks."""

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self.scores: Counter[Fraction] = Counter()

    def add(self, scores: Iterable[Fraction]) -> None:
        """Count more blocks. Raises ValueError: a score is not between 0 and 1."""
        for score in scores:
            if not 0 <= score <= 1:
                raise ValueError(f"expected block scores from 0 to 1, not {score}")
            self.scores[score] += 1

    @property
    def blocks(self) -> int:
        """The number of blocks counted."""
        return self.scores.total()

    @property
    def ratio(self) -> float:
        """The log-likelihood ratio of elo1 to elo0; almost 0 before the first block."""
        return log_ratio(self.scores, score_of(self.hypotheses.elo0), score_of(self.hypotheses.elo1))

    @property
    def verdict(self) -> DuelVerdict:
        """The current verdict; callers should stop a test only between matches."""
        ratio = self.ratio
        if ratio >= self.hypotheses.upper:
            return DuelVerdict.ACCEPTED
        return DuelVerdict.REJECTED if ratio <= self.hypotheses.lower else DuelVerdict.OPEN


def log_ratio(scores: Counter[Fraction], mean0: float, mean1: float) -> float:
    """Return the log-likelihood ratio of `mean1` to `mean0`, each with its most likely distribution.

    Both means are strictly between 0 and 1.
    """
    counts = {0.0: ASSUMED, 1.0: ASSUMED}
    for score, times in scores.items():
        counts[float(score)] = counts.get(float(score), 0.0) + times
    counted = sorted(counts.items())
    tilt0, tilt1 = _tilt(counted, mean0), _tilt(counted, mean1)
    return fsum(times * log((1 + tilt0 * (score - mean0)) / (1 + tilt1 * (score - mean1))) for score, times in counted)


def _tilt(counted: list[tuple[float, float]], mean: float) -> float:
    """Return, by Newton's method, the t for which the weights n / (1 + t (score - mean)) have this mean."""
    # The most likely distribution with a given mean has these weights (Owen, 1988).
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
        if abs(after - tilt) < _TOLERANCE:
            return after
        tilt = after
    return tilt

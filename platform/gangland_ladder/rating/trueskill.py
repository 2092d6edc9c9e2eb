"""TrueSkill ratings: one update per match, in closed form for two seats and with the trueskill package for more."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, permutations, product
from math import cos, erfc, exp, fsum, isfinite, log, pi, sqrt
from statistics import NormalDist
from typing import Any

import trueskill

from gangland_ladder.analysis.games import MEASURED_BLOCKS, measurements_of

# Draw probability: how often two bots in a match have the same mean place, by game, number of seats and number of
# blocks.
#
# It was measured on house bots with `python -m benchmarks.measured draws 300`, which plays 300 blocks for each pair at
# each table size. The figure is the probability, averaged over pairs, that the differences in place add up to 0 over
# the match's number of blocks, drawn from these. It is interpolated for other numbers of blocks, linearly in the
# logarithms of both. Beyond the largest measured number, the probability is inversely proportional to the square root
# of the number of blocks, as for two equal bots.


@cache
def draw_probability(game: str, seats: int, blocks: int) -> float:
    """Return the probability, below 1/2, that two bots in a match draw. Raises ValueError: no such game or table."""
    table = measurements_of(game, seats)
    if table is None:
        raise ValueError(f"no draw probability is known for {game!r} with {seats!r} seats")
    if blocks < 1:
        raise ValueError(f"expected at least 1 block, not {blocks!r}")
    chances = table.draws
    at = bisect_left(MEASURED_BLOCKS, blocks)
    if at == len(MEASURED_BLOCKS):
        return chances[-1] * sqrt(MEASURED_BLOCKS[-1] / blocks)
    if MEASURED_BLOCKS[at] == blocks:
        return chances[at]
    low, high = MEASURED_BLOCKS[at - 1], MEASURED_BLOCKS[at]
    part = log(blocks / low) / log(high / low)
    return exp((1 - part) * log(chances[at - 1]) + part * log(chances[at]))


@cache
def draw_margin(game: str, seats: int, blocks: int) -> float:
    """Return, in units of mu, the largest difference in performance that is a draw.

    Raises ValueError: no such game or table.
    """
    return NormalDist().inv_cdf((draw_probability(game, seats, blocks) + 1) / 2) * sqrt(2) * BETA


# Ratings of a match.
#
# Ranks follow from the mean places over a match's blocks, which are exact fractions; equal mean places are a draw. A
# version's skill does not drift: tau is 0. A new version inherits nothing and begins at `Rating()`, so the results are
# enough to recompute all ratings.


MU = 25.0
SIGMA = MU / 3
MAX_VALUE = 1e6  # Maximum absolute value of mu and sigma; a rating that began at `Rating()` never gets close to it.


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimated skill of an entry and its uncertainty."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> float:
        """The number by which tables are sorted: mu - 3 sigma."""
        return shown(self.mu, self.sigma)


def shown(mu: float, sigma: float) -> float:
    """Return mu - 3 sigma, the number by which tables are sorted."""
    return mu - 3 * sigma


def rate(game: str, ratings: Sequence[Rating], mean_places: Sequence[Fraction], *, blocks: int = 12) -> list[Rating]:
    """Return the ratings after one match; lower mean places are better, and equal ones are a draw.

    No sigma increases, and equal ratings that tie stay equal to the last bit. Raises ValueError: the lengths differ, a
    rating is invalid, or there is no such table.
    """
    if len(ratings) != len(mean_places):
        raise ValueError(f"expected {len(ratings)} mean places, one per rating, not {len(mean_places)}")
    for rating in ratings:
        check_rating(rating)
    ranks = [sorted(set(mean_places)).index(place) for place in mean_places]
    skills = [(rating.mu, rating.sigma) for rating in ratings]
    seats = len(skills)
    if seats != 2:
        return [Rating(*skill) for skill in rate_several(skills, ranks, draw_probability(game, seats, blocks))]
    after = rate_two(*skills[0], *skills[1], ranks[1] - ranks[0], draw_margin(game, seats, blocks))
    return [Rating(*after[:2]), Rating(*after[2:])]


def check_rating(rating: Rating) -> None:
    """Raise ValueError if a rating is not finite, a sigma is not above 0, or mu or sigma is beyond `MAX_VALUE`."""
    mu, sigma = rating.mu, rating.sigma
    if not (isfinite(mu) and abs(mu) <= MAX_VALUE and 0 < sigma <= MAX_VALUE):
        raise ValueError(f"expected a mu within {MAX_VALUE:.0f} of 0 and a sigma above 0, not {mu!r} and {sigma!r}")


# Two seats: the ratings after a match have a closed formula, whereas larger tables need an iterative approximation.
#
# The difference between two performances is normal; its variance is the sum of the variances of both skills and both
# performances. Each skill takes up the information from the result in proportion to its share of that variance. The
# ratings equal the trueskill package's up to rounding, and are valid for any difference. Swapping the two entries does
# not change a single bit.


BETA = 25 / 6  # the standard deviation of a performance around the skill
_PERFORMANCES = 2 * BETA * BETA

Update = tuple[float, float, float, float]  # mu and sigma of the first entry after a match, then those of the other one


def rate_two(mu: float, sigma: float, other_mu: float, other_sigma: float, ahead: int, margin: float) -> Update:
    """Return both skills after a match of two; no sigma increases. `ahead` is above 0 if the first won, 0 in a draw."""
    variance, other_variance = sigma * sigma, other_sigma * other_sigma
    total = variance + other_variance + _PERFORMANCES
    spread = sqrt(total)
    if ahead > 0:
        v, w = after_win((mu - other_mu - margin) / spread)
    elif ahead < 0:
        v, w = after_win((other_mu - mu - margin) / spread)
        v = -v
    else:
        v, w = after_draw((mu - other_mu) / spread, margin / spread)
    v /= spread
    w /= total
    return (
        mu + variance * v,
        sigma * sqrt(1 - variance * w),
        other_mu - other_variance * v,
        other_sigma * sqrt(1 - other_variance * w),
    )


# Three and four seats: the trueskill package.
#
# The package's own v and w fail for expected results beyond 38 standard deviations and for upsets beyond 37 (a gap of
# about 226 points between settled ratings), so the functions below replace them. A draw probability of 0, with which a
# draw would increase sigma, is rejected earlier.
#
# The package compares only neighbors in the order of the input, so if three entries tie, the middle one gets a
# different rating. Entries that tie are therefore rated in each possible order, and the ratings are averaged.


Skill = tuple[float, float]


def rate_several(skills: Sequence[Skill], ranks: Sequence[int], draw_probability: float) -> list[Skill]:
    """Return the skills after a match of three or more. Lower ranks are better; no sigma increases."""
    environment = _environment(draw_probability)
    tied = [[at for at, other in enumerate(ranks) if other == rank] for rank in sorted(set(ranks))]
    orders = [list(chain(*order)) for order in product(*map(permutations, tied))]
    outcomes: list[list[Skill]] = [[] for _ in skills]
    for order in orders:
        groups = [(trueskill.Rating(*skills[at]),) for at in order]
        for at, (new,) in zip(order, environment.rate(groups, ranks=[ranks[at] for at in order]), strict=True):
            outcomes[at].append((float(new.mu), min(float(new.sigma), skills[at][1])))
    # The sums are not rounded, so that the order of the numbers does not change the mean.
    return [
        (fsum(mu for mu, _ in rated) / len(orders), min(fsum(sigma for _, sigma in rated) / len(orders), sigma))
        for rated, (_, sigma) in zip(outcomes, skills, strict=True)
    ]


@lru_cache(maxsize=64)
def _environment(draw_probability: float) -> Any:
    normal = NormalDist()
    backend = (normal.cdf, normal.pdf, normal.inv_cdf)
    environment = trueskill.TrueSkill(beta=BETA, tau=0.0, draw_probability=draw_probability, backend=backend)
    environment.v_win = lambda expected, margin: after_win(expected - margin)[0]
    environment.w_win = lambda expected, margin: after_win(expected - margin)[1]
    environment.v_draw = lambda expected, margin: after_draw(expected, margin)[0]
    environment.w_draw = lambda expected, margin: after_draw(expected, margin)[1]
    return environment


# Truncated normal distributions: v and w.
#
# In TrueSkill, a win means that the difference in performance exceeds a margin, and a draw means that it is within the
# margin. `v` is the change in the mean of a standard normal variable that is truncated this way, in standard
# deviations. `w`, from 0 to 1, is the fraction of its variance that is lost (Herbrich, Minka and Graepel, "TrueSkill: a
# Bayesian skill rating system", 2006, section 3). In that paper's formulas, both are quotients of two numbers that
# vanish far from the expected result; here each region has a formula without cancellation.


_ROOT_HALF = sqrt(0.5)
_DENSITY = 1 / sqrt(2 * pi)
_TWICE_DENSITY = 2 * _DENSITY
_FAR = 8.0  # Distance, in standard deviations, from which the tail's continued fraction is used instead of erfc.
_DEPTH = 40  # Number of levels of the continued fraction; enough to be exact from 7 standard deviations on.
# Distance, in standard deviations, up to which a draw is computed from two tails, if the margin is above `_NARROW`.
_NEAR = 4.0
_NARROW = 1e-3
_STEEP = 8.0  # Product of distance and margin above which a draw is computed as a tail minus a far smaller one.
_NODES = 24


def after_win(surprise: float) -> tuple[float, float]:
    """Return (v, w) after a win; `surprise` is the expected difference minus the margin, in its standard deviations."""
    if surprise > -_FAR:
        v = _TWICE_DENSITY * exp(-0.5 * surprise * surprise) / erfc(-surprise * _ROOT_HALF)
        return v, v * (v + surprise)
    excess, _ = _tail(-surprise)
    v = excess - surprise
    return v, min(v * excess, 1.0)


def after_draw(expected: float, margin: float) -> tuple[float, float]:
    """Return (v, w) after a draw, in which a normal difference of variance 1 is within the margin around 0."""
    distance = abs(expected)
    if distance + margin <= _NEAR and margin >= _NARROW:
        v, w = _near_band(distance, margin)
    elif distance * margin <= _STEEP:
        v, w = _narrow_band(distance, margin)
    else:
        v, w = _steep_band(distance, margin)
    return (v if expected < 0 else -v), min(w, 1.0)


def _near_band(distance: float, margin: float) -> tuple[float, float]:
    low, high = distance - margin, distance + margin
    at_low, at_high = _DENSITY * exp(-0.5 * low * low), _DENSITY * exp(-0.5 * high * high)
    inside = 0.5 * (erfc(low * _ROOT_HALF) - erfc(high * _ROOT_HALF))
    v = (at_low - at_high) / inside
    return v, v * v - (low * at_low - high * at_high) / inside


def _narrow_band(distance: float, margin: float) -> tuple[float, float]:
    """Integrate over the band by quadrature, because the density changes by a factor of at most exp(16) within it."""
    steps = [margin * node for node, _ in _GAUSS]
    masses = [weight * exp(-step * (distance + 0.5 * step)) for step, (_, weight) in zip(steps, _GAUSS, strict=True)]
    mass = fsum(masses)
    mean = fsum(step * part for step, part in zip(steps, masses, strict=True)) / mass
    variance = fsum((step - mean) ** 2 * part for step, part in zip(steps, masses, strict=True)) / mass
    return distance + mean, 1 - variance


def _steep_band(distance: float, margin: float) -> tuple[float, float]:
    """Subtract the tail beyond the far side from the tail beyond the near side, as moments about the near side."""
    low, high, width = distance - margin, distance + margin, 2 * margin
    share = exp(-width * distance)
    near, near_next = _tail(low)
    far, far_next = _tail(high)
    in_near, in_far = 1 / (low + near), share / (high + far)
    mass = in_near - in_far
    mean = (in_near * near - in_far * (far + width)) / mass
    square = (in_near * near * near_next - in_far * (far * far_next + 2 * width * far + width * width)) / mass
    return low + mean, 1 - (square - mean * mean)


def _tail(start: float) -> tuple[float, float]:
    """Return the distance of the normal tail's mean from `start`, and the next level of the continued fraction."""
    # The mean is start + 1/(start + 2/(start + 3/(start + ...))) (Laplace). The product of the two returned values is
    # the tail's mean square distance from its start.
    level, below = start, 0.0
    for number in range(_DEPTH, 1, -1):
        below = number / level
        level = start + below
    return 1 / level, below


def _gauss(nodes: int) -> list[tuple[float, float]]:
    """Return the nodes of Gauss-Legendre quadrature from -1 to 1 with their weights, found by Newton's method."""
    points = []
    for number in range(nodes):
        x, slope = cos(pi * (number + 0.75) / (nodes + 0.5)), 1.0
        for _ in range(8):
            before, value = 1.0, x
            for degree in range(2, nodes + 1):
                before, value = value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree
            slope = nodes * (x * value - before) / (x * x - 1)
            x -= value / slope
        points.append((x, 2 / ((1 - x * x) * slope * slope)))
    return points


_GAUSS = _gauss(_NODES)

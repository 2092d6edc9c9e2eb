"""What a result says about a difference of performances that was thought to be normally distributed.

TrueSkill takes a win to say that the difference exceeds a margin, and a draw that it lies within.
Seen so, a standard normal variable is cut off.  `v` is how far its mean moves, in standard
deviations, and `w`, from 0 to 1, the part of its variance that goes (Herbrich, Minka and Graepel,
"TrueSkill: a Bayesian skill rating system", 2006, section 3).  Written as there, both are quotients of
two numbers that run out far from the expected; here each region has a form in which nothing cancels.
"""

from __future__ import annotations

from math import cos, erfc, exp, fsum, pi, sqrt

_ROOT_HALF = sqrt(0.5)
_DENSITY = 1 / sqrt(2 * pi)
_TWICE_DENSITY = 2 * _DENSITY
_FAR = 8.0
"""From so many standard deviations on, the tail's continued fraction takes the place of erfc."""
_DEPTH = 40
"""Levels of the continued fraction: beyond the last digit from 7 standard deviations on."""
_NEAR = 4.0
"""Below so many, a draw's band is a plain difference of two tails; its margin has to be above `_NARROW` then."""
_NARROW = 1e-3
_STEEP = 8.0
"""From so large a product of distance and margin on, a draw's band is a tail less a far smaller one."""
_NODES = 24


def after_win(surprise: float) -> tuple[float, float]:
    """Return (v, w) of a standard normal variable found to exceed `-surprise`.

    Args:
        surprise: the expected difference less the margin, in standard deviations of the difference;
            negative when the weaker one won.
    """
    if surprise > -_FAR:
        v = _TWICE_DENSITY * exp(-0.5 * surprise * surprise) / erfc(-surprise * _ROOT_HALF)
        return v, v * (v + surprise)
    excess, _ = _tail(-surprise)
    v = excess - surprise
    return v, min(v * excess, 1.0)


def after_draw(expected: float, margin: float) -> tuple[float, float]:
    """Return (v, w) of a normal difference of variance 1 found to lie within the margin around 0.

    Args:
        expected: the expected difference, in its standard deviations.
        margin: likewise; above 0 and at most about 1.
    """
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
    """By quadrature over the band, in which the density changes by no more than a factor of exp(16)."""
    steps = [margin * node for node, _ in _GAUSS]
    masses = [weight * exp(-step * (distance + 0.5 * step)) for step, (_, weight) in zip(steps, _GAUSS, strict=True)]
    mass = fsum(masses)
    mean = fsum(step * part for step, part in zip(steps, masses, strict=True)) / mass
    variance = fsum((step - mean) ** 2 * part for step, part in zip(steps, masses, strict=True)) / mass
    return distance + mean, 1 - variance


def _steep_band(distance: float, margin: float) -> tuple[float, float]:
    """The tail from the band's near side on, less the tail from its far side on, as moments about the near side."""
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
    """Return by how much the mean of the normal tail from `start` on exceeds its start, and the next level below.

    The tail's mean is start + 1/(start + 2/(start + 3/(start + ...))) (Laplace); with the second value, e, and the
    first, d, its mean square distance from its start is d * e.
    """
    level, below = start, 0.0
    for number in range(_DEPTH, 1, -1):
        below = number / level
        level = start + below
    return 1 / level, below


def _gauss(nodes: int) -> list[tuple[float, float]]:
    """Return the nodes of Gauss-Legendre quadrature on -1 to 1 with their weights, by Newton's method."""
    found = []
    for number in range(nodes):
        x, slope = cos(pi * (number + 0.75) / (nodes + 0.5)), 1.0
        for _ in range(8):
            before, value = 1.0, x
            for degree in range(2, nodes + 1):
                before, value = value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree
            slope = nodes * (x * value - before) / (x * x - 1)
            x -= value / slope
        found.append((x, 2 / ((1 - x * x) * slope * slope)))
    return found


_GAUSS = _gauss(_NODES)

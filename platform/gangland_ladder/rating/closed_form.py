"""TrueSkill of two: one formula a result, where tables of more need rounds of approximation.

The difference of two performances is normal with the variance of both skills and both performances; what the
result says of it (`truncation`) goes back to each skill by its share of that variance.  It is the package's
own result to within its rounding, and holds at any distance.  The order of the two does not matter, to the last bit.
"""

from __future__ import annotations

from math import sqrt

from gangland_ladder.rating.truncation import after_draw, after_win

BETA = 25 / 6
"""The standard deviation of one performance around its skill."""
_PERFORMANCES = 2 * BETA * BETA

Update = tuple[float, float, float, float]
"""mu and sigma of the one after a match, then mu and sigma of the other."""


def meet(mu: float, sigma: float, other_mu: float, other_sigma: float, ahead: int, margin: float) -> Update:
    """Return both skills after the two have met; no sigma grows.

    Args:
        ahead: above 0 if the first has won, 0 at a draw, below 0 if the other has won.
        margin: of a draw, in points of mu.
    """
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

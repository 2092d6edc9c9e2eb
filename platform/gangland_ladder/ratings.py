"""TrueSkill over matches: one update a match, folded in canonical order.

Ranks come from the mean place over a match's blocks as exact fractions, equal ones are a
draw.  Within a version nothing drifts: tau is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import trueskill

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
MAX_MU_GAP = 200.0
"""The package fails on upsets beyond a gap of about 226; a gap this wide is refused before."""

DRAW_PROBABILITY = {
    ("gangster-dice", 2): 0.037,
    ("gangster-dice", 3): 0.015,
    ("gangster-dice", 4): 0.015,
    ("gang-of-dice", 2): 0.021,
    ("gang-of-dice", 3): 0.007,
    ("gang-of-dice", 4): 0.001,
}
"""How often two bots of a match of 12 blocks tie on mean place.

Measured on the house bots with `python -m benchmarks.draws 12`: 4 of 120 pairs, 5 of 360 and
5 of 360 in Gangster Dice, 2 of 120, 2 of 360 and 0 of 360 in Gang of Dice; half a tie is added,
since a probability of 0 would make a draw raise sigma.
"""


@dataclass(frozen=True, slots=True)
class Rating:
    """How good an entry is thought to be, and how sure that is."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> float:
        """The figure that tables are ordered by: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


def rate(game: str, ratings: Sequence[Rating], mean_places: Sequence[Fraction]) -> list[Rating]:
    """Return the ratings after one match.

    Args:
        ratings: one an entry, entries sorted by id (ties depend on the order of input).
        mean_places: one an entry in the same order; lower is better, equal is a draw.

    Raises:
        ValueError: the lengths differ, no such table, or ratings too far apart for the package.
    """
    if len(ratings) != len(mean_places):
        raise ValueError(f"{len(ratings)} ratings, but {len(mean_places)} places")
    mus = [rating.mu for rating in ratings]
    if max(mus) - min(mus) > MAX_MU_GAP:
        raise ValueError(f"ratings {min(mus)!r} and {max(mus)!r} are too far apart to be updated")
    environment = _environment(game, len(ratings))
    ranks = [sorted(set(mean_places)).index(place) for place in mean_places]
    groups = [(environment.create_rating(rating.mu, rating.sigma),) for rating in ratings]
    return [Rating(float(after.mu), float(after.sigma)) for (after,) in environment.rate(groups, ranks=ranks)]


@cache
def _environment(game: str, seats: int) -> trueskill.TrueSkill:
    if (game, seats) not in DRAW_PROBABILITY:
        raise ValueError(f"no draw probability is known for {game!r} with {seats} seats")
    return trueskill.TrueSkill(
        mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, draw_probability=DRAW_PROBABILITY[game, seats], backend=None
    )

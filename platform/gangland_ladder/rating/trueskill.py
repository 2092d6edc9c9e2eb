"""TrueSkill over matches: one update a match.

Ranks come from the mean place over a match's blocks as exact fractions, equal ones are a draw.  Two seats are
rated by the closed form, three and four by the package.  Within a version nothing drifts: tau is 0.  A new version
inherits nothing and begins as everyone does, at `Rating()`: what it is worth is what its own matches say, and a
rating can be computed again from the results alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from gangland_ladder.rating.closed_form import meet
from gangland_ladder.rating.draw_probability import DEFAULT_BLOCKS, draw_margin, draw_probability
from gangland_ladder.rating.factor_graph import rate_several

MU = 25.0
SIGMA = MU / 3
LARGEST = 1e6
"""Neither mu, whichever way, nor sigma goes beyond; no rating that began at `Rating()` comes near."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How good an entry is thought to be, and how sure that is."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> float:
        """The figure that tables are ordered by: mu - 3 sigma."""
        return shown(self.mu, self.sigma)


def shown(mu: float, sigma: float) -> float:
    """Return the figure that tables are ordered by: mu - 3 sigma."""
    return mu - 3 * sigma


def rate(
    game: str, ratings: Sequence[Rating], mean_places: Sequence[Fraction], *, blocks: int = DEFAULT_BLOCKS
) -> list[Rating]:
    """Return the ratings after one match.  No sigma grows; the best never loses mu, and the last never gains any.

    Args:
        ratings: one an entry, in any order; entries that are rated alike and tie stay alike, to the last bit.
        mean_places: one an entry in the same order; lower is better, equal is a draw.
        blocks: of the match, for the draw's probability.

    Raises:
        ValueError: the lengths differ, there is no such table, or a rating is none.
    """
    if len(ratings) != len(mean_places):
        raise ValueError(f"{len(ratings)} ratings, but {len(mean_places)} places")
    for rating in ratings:
        check_rating(rating)
    ranks = [sorted(set(mean_places)).index(place) for place in mean_places]
    skills = [(rating.mu, rating.sigma) for rating in ratings]
    seats = len(skills)
    if seats != 2:
        return [Rating(*skill) for skill in rate_several(skills, ranks, draw_probability(game, seats, blocks))]
    after = meet(*skills[0], *skills[1], ranks[1] - ranks[0], draw_margin(game, seats, blocks))
    return [Rating(*after[:2]), Rating(*after[2:])]


def check_rating(rating: Rating) -> None:
    """See that a rating is one.

    Raises:
        ValueError: it is not a number, its sigma not above 0, or either beyond `LARGEST`.
    """
    mu, sigma = rating.mu, rating.sigma
    if not (isfinite(mu) and abs(mu) <= LARGEST and 0 < sigma <= LARGEST):
        raise ValueError(f"a rating is a mu within {LARGEST:.0f} of 0 and a sigma above 0, not {mu!r} and {sigma!r}")

"""TrueSkill of three and four: the trueskill package, with what it does not do well taken out of its hands.

Its own v and w fail on expected results beyond 38 standard deviations and on upsets beyond 37 (a gap of about
226 points between settled ratings), and its normal distribution is good to seven digits; it is given those of
`truncation`, which hold everywhere.  A draw probability of 0, with which a draw would raise sigma, is refused
before (`draw_probability`).

The package compares neighbors in the order of input alone, so that of three who tie the one in the middle comes out
differently.  Entries that tie are rated in each order, and the mean counts: equal entries with equal results come out
equal to the last bit, in whatever order they are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, permutations, product
from math import erfc, exp, fsum, pi, sqrt
from statistics import NormalDist
from typing import Any

import trueskill

from gangland_ladder.rating.closed_form import BETA
from gangland_ladder.rating.truncation import after_draw, after_win

Skill = tuple[float, float]
"""mu and sigma."""


def rate_several(skills: Sequence[Skill], ranks: Sequence[int], draw_probability: float) -> list[Skill]:
    """Return the skills after a match of three seats or more; no sigma ever grows.

    Args:
        skills: one an entry; ranks: likewise, lower is better, equal is a draw.
    """
    environment = _environment(draw_probability)
    tied = [[at for at, its in enumerate(ranks) if its == rank] for rank in sorted(set(ranks))]
    orders = [list(chain(*order)) for order in product(*map(permutations, tied))]
    outcomes: list[list[Skill]] = [[] for _ in skills]
    for order in orders:
        groups = [(trueskill.Rating(*skills[at]),) for at in order]
        for at, (new,) in zip(order, environment.rate(groups, ranks=[ranks[at] for at in order]), strict=True):
            outcomes[at].append((float(new.mu), min(float(new.sigma), skills[at][1])))
    # Sums without rounding: the same numbers in another order have the same mean.
    return [
        (fsum(mu for mu, _ in each) / len(orders), min(fsum(sigma for _, sigma in each) / len(orders), sigma))
        for each, (_, sigma) in zip(outcomes, skills, strict=True)
    ]


@lru_cache(maxsize=64)
def _environment(draw_probability: float) -> Any:
    backend = (_below, _density, NormalDist().inv_cdf)
    environment = trueskill.TrueSkill(beta=BETA, tau=0.0, draw_probability=draw_probability, backend=backend)
    environment.v_win = lambda expected, margin: after_win(expected - margin)[0]
    environment.w_win = lambda expected, margin: after_win(expected - margin)[1]
    environment.v_draw = lambda expected, margin: after_draw(expected, margin)[0]
    environment.w_draw = lambda expected, margin: after_draw(expected, margin)[1]
    return environment


def _below(x: float) -> float:
    return 0.5 * erfc(-x * sqrt(0.5))


def _density(x: float) -> float:
    return exp(-0.5 * x * x) / sqrt(2 * pi)

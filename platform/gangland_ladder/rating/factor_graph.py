"""TrueSkill of three and four: the trueskill package, with what it does not do well taken out of its hands.

Its own v and w fail on expected results beyond 38 standard deviations and on upsets beyond 37 (a gap of about
226 points between settled ratings), and its normal distribution is good to seven digits; it is given those of
`truncation`, which hold everywhere.  A draw probability of 0, with which a draw would raise sigma, is refused
before (`draw_probability`).  Ties depend on the order of input, so callers pass entries in order of their id.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import erfc, exp, pi, sqrt
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
        skills: one an entry, in order of the entries' ids.
        ranks: likewise; lower is better, equal is a draw.
    """
    groups = [(trueskill.Rating(mu, sigma),) for mu, sigma in skills]
    after = _environment(draw_probability).rate(groups, ranks=ranks)
    return [(float(new.mu), min(float(new.sigma), sigma)) for (new,), (_, sigma) in zip(after, skills, strict=True)]


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

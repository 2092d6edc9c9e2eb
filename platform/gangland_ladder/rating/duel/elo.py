"""Elo: how a difference in playing strength and the share of a table that one is ahead of say the same."""

from __future__ import annotations

from math import exp, log

LOGIT = 400 / log(10)
"""So many points of Elo are one unit of the strengths of `final_standings`, which are logits."""


def score_of(elo: float) -> float:
    """Return the score, 0 to 1, that whoever is worth so much more is to expect."""
    return 1 / (1 + exp(-elo / LOGIT))


def elo_of(score: float) -> float:
    """Return what a score says, in points of Elo.

    Raises:
        ValueError: a score that is not strictly between 0 and 1, which no difference explains.
    """
    if not 0 < score < 1:
        raise ValueError(f"a score between 0 and 1 has an Elo, {score!r} has none")
    return LOGIT * log(score / (1 - score))

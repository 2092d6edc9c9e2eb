"""Whether the first k are known beyond doubt, and how many games more it may take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from statistics import NormalDist

import numpy as np

from gangland_ladder.final_standings.fit import Fit
from gangland_ladder.final_standings.ranks import DIGITS, Ranks, needed_gap

LIKELY = 0.8
"""With so much chance the games needed are enough, if the differences are as measured."""
HOPELESS = 100.0


@dataclass(frozen=True, slots=True)
class TopK:
    """What is known of who is among the first k.

    Attributes:
        inside: entries beyond doubt among the first k, upward.
        open: entries of which it is not known, upward.
        games_needed: how many games more, by the schedule so far, are likely to settle it; 0 if it is
            settled. None if no sensible number is: equal strengths at the line, entries that nothing
            joins, or more than `HOPELESS` times the games so far.
    """

    k: int
    inside: tuple[int, ...]
    open: tuple[int, ...]
    games_needed: int | None

    @property
    def settled(self) -> bool:
        """Whether all of the first k are known."""
        return len(self.inside) == self.k


def top(k: int, entries: Sequence[int], fitted: Fit, ranks: Ranks, level: float, games: int) -> TopK:
    """Return what is known of the first k.

    Args:
        games: how many were played for this fit.

    Raises:
        ValueError: more than there are entries, or none.
    """
    if not 1 <= k <= len(entries):
        raise ValueError(f"the first 1 to {len(entries)} can be asked for, not the first {k!r}")
    inside = tuple(entry for entry, high in zip(entries, ranks.high, strict=True) if high <= k)
    reached = zip(entries, ranks.low, ranks.high, strict=True)
    unknown = tuple(entry for entry, low, high in reached if low <= k < high)
    needed = 0 if len(inside) == k else _games_needed(k, fitted, ranks, level, games)
    return TopK(k, inside, unknown, needed)


def _games_needed(k: int, fitted: Fit, ranks: Ranks, level: float, games: int) -> int | None:
    """Return how many games tell all above the line from all below it.

    Variances fall as games grow, so the pair that takes longest is told apart by (wanted standard
    errors / present ones) squared times the games.
    """
    order = sorted(range(len(ranks.rank)), key=lambda index: ranks.rank[index])
    above, below = order[:k], order[k:]
    strength = np.round(fitted.strength, DIGITS)
    gap = strength[above][:, None] - strength[below][None, :]
    errors = np.sqrt(fitted.variance[np.ix_(above, below)])
    unsure = ~ranks.ahead[np.ix_(above, below)]
    ratios = np.divide(errors, gap, out=np.full(gap.shape, np.inf), where=gap > 0)
    wanted = needed_gap(level, len(order)) + NormalDist().inv_cdf(LIKELY)
    factor = (wanted * float(np.max(ratios, where=unsure, initial=0.0))) ** 2
    return max(1, ceil(games * (factor - 1))) if factor <= HOPELESS else None

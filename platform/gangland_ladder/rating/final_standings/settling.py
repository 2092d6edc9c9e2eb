"""Whether the first k are known, and how many games more it may take."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from statistics import NormalDist

import numpy as np

from gangland_ladder.rating.final_standings.counts import Counts
from gangland_ladder.rating.final_standings.fit import Fit
from gangland_ladder.rating.final_standings.ranks import DIGITS, Ranks

LIKELY = 0.8
"""With so much chance the games needed are enough, if the differences are as measured."""
HOPELESS = 100.0


@dataclass(frozen=True, slots=True)
class TopK:
    """What is known of who is among the first k.

    Attributes:
        inside: entries separated from so many below them that they are among the first k, upward.
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


def top(k: int, counts: Counts, fitted: Fit, drawn: np.ndarray, ranks: Ranks, level: float) -> TopK:
    """Return what is known of the first k.

    Args:
        drawn: strengths as `posterior.draws` returns them.

    Raises:
        ValueError: more than there are entries, or none.
    """
    entries, size = counts.entries, len(counts.entries)
    if not 1 <= k <= size:
        raise ValueError(f"the first 1 to {size} can be asked for, not the first {k!r}")
    above, below = ranks.ahead.sum(axis=0), ranks.ahead.sum(axis=1)
    inside = tuple(entry for entry, count in zip(entries, below, strict=True) if count >= size - k)
    unknown = tuple(entry for entry, up, down in zip(entries, above, below, strict=True) if up < k and down < size - k)
    needed = 0 if len(inside) == k else _games_needed(k, fitted, drawn, ranks, level, counts.games)
    return TopK(k, inside, unknown, needed)


def _games_needed(k: int, fitted: Fit, drawn: np.ndarray, ranks: Ranks, level: float, games: int) -> int | None:
    """Return how many games tell all above the line from all below it.

    Variances fall as games grow, so the pair that takes longest is separated by (wanted standard
    errors / present ones) squared times the games.
    """
    order = sorted(range(len(ranks.rank)), key=lambda index: ranks.rank[index])
    above, below = order[:k], order[k:]
    shown = np.round(fitted.strength, DIGITS)
    gap = shown[above][:, None] - shown[below][None, :]
    errors = np.array([[float(np.std(drawn[:, one] - drawn[:, other])) for other in below] for one in above])
    unsure = ~ranks.ahead[np.ix_(above, below)]
    ratios = np.divide(errors, gap, out=np.full(gap.shape, np.inf), where=gap > 0)
    ratios[ranks.better[np.ix_(above, below)] == 0.5] = np.inf
    wanted = NormalDist().inv_cdf(level) + NormalDist().inv_cdf(LIKELY)
    factor = (wanted * float(np.max(ratios, where=unsure, initial=0.0))) ** 2
    return max(1, ceil(games * (factor - 1))) if factor <= HOPELESS else None

"""How sure it is that one bot is ahead of another: said by an interval that no tie and no table size makes too narrow.

A block has one dice seed in every seat rotation, so blocks are what counts as independent.  Whatever a block's share
is, 0 to 1, it varies at most as if the block were won or lost whole; so Wilson's interval for that holds for shares
too, and is rather too wide than too narrow.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import sqrt
from statistics import NormalDist

CLEAR, LIKELY = 0.95, 0.80
"""How sure is clear, and how sure is likely."""


class Sure(StrEnum):
    """How sure it is who is ahead; the word stands on pages and is the weight of a cell."""

    CLEAR = "clear"
    LIKELY = "likely"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Lead:
    """Who is ahead by a share, and how sure that is.

    Attributes:
        share: 0 to 1, from the first bot's side; one half is level.
        low, high: the 95% interval of it.
    """

    share: float
    low: float
    high: float
    sure: Sure

    @property
    def side(self) -> str:
        """Which way it leans: ahead, level or behind."""
        return "level" if abs(self.share - 0.5) < 1e-9 else "ahead" if self.share > 0.5 else "behind"

    @property
    def words(self) -> str:
        """What is known, in a few words."""
        if self.sure is Sure.OPEN:
            return "open"
        return f"{self.sure} {self.side}" if self.sure is Sure.LIKELY else f"clearly {self.side}"


def share_of(mean_place: float, other_mean_place: float, seats: int) -> float:
    """Return how far one bot was ahead of another, 0 to 1: at two seats the share of games won, a tie as half."""
    return 0.5 + (other_mean_place - mean_place) / (2 * (seats - 1))


def lead(share: float, blocks: int) -> Lead:
    """Return what a share over so many blocks says.

    Raises:
        ValueError: no block was played, or the share is not from 0 to 1.
    """
    if blocks < 1 or not -1e-9 <= share <= 1 + 1e-9:
        raise ValueError(f"a lead needs at least one block and a share from 0 to 1, not {blocks} and {share!r}")
    share = min(1.0, max(0.0, share))
    low, high = wilson(share, blocks, CLEAR)
    under, over = wilson(share, blocks, LIKELY)
    likely = Sure.OPEN if under <= 0.5 <= over else Sure.LIKELY
    return Lead(share, low, high, likely if low <= 0.5 <= high else Sure.CLEAR)


def wilson(share: float, count: int, level: float) -> tuple[float, float]:
    """Return Wilson's interval for a share of `count` trials."""
    z = _z(level)
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)


@cache
def _z(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)

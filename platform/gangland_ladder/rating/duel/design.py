"""How a duel is played: in matches of blocks, each on dice of its own, and so that neither side has a better seat.

At two seats a block is the same dice played from both seats.  At three and four, one new bot sits among copies of the
old one, and on the same dice one old bot among copies of the new one; each block has both in every rotation of the
seats.  So each side has been alone, and has been the many, in every seat equally often, and a bot that meets itself
scores exactly half in expectation; with the bots' own chance the same in both, its every block is even.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from gangland_ladder.rating.duel.measured import NEW, OLD, DuelBlock

MATCH_BLOCKS = 20
"""Blocks a match: so often a duel may stop, and so long a bot's process lives."""


def sittings(seats: int) -> list[tuple[int, ...]]:
    """Return who sits at the tables of a block, as sides; the first of each is the one that sits alone.

    Raises:
        ValueError: a table size that there is not.
    """
    if not 2 <= seats <= 4:
        raise ValueError(f"a duel is played at 2 to 4 seats, not {seats!r}")
    return [(NEW, OLD)] if seats == 2 else [(NEW, *[OLD] * (seats - 1)), (OLD, *[NEW] * (seats - 1))]


def match_lengths(most: int) -> Iterator[int]:
    """Yield how many blocks each match has, `most` together."""
    for first in range(0, most, MATCH_BLOCKS):
        yield min(MATCH_BLOCKS, most - first)


def blocks_of(seats: int, places: Sequence[Sequence[tuple[Fraction, ...]]]) -> list[DuelBlock]:
    """Return the blocks of one match.

    Args:
        places: of each sitting, the mean places of each block, in the order of the sitting.
    """
    if seats == 2:
        return [DuelBlock(2, new, old) for new, old in places[0]]
    return [DuelBlock(seats, new[0], old[0]) for new, old in zip(*places, strict=True)]

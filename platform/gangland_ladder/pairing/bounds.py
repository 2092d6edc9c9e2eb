"""Whether owners leave room for pairs to meet equally often, before anything is tried.

With equal appearances, a bot whose owner has many has fewer others to meet, and so meets each
of them more often than others meet.  For whole groups of owners that can be counted: the
meetings of two groups differ by so much, and what the pairs within and between them can take
and must have differs by so much.  If the first is more than the second, no sample keeps
within the bound.  Groups by size of owner are enough to find nearly all such rosters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

WITHIN = 2
"""Permitted pairs are to meet equally often within so much."""


class _Group(NamedTuple):
    """Owners of some sizes: how many entries they have, and pairs among those that may meet."""

    entries: int
    pairs: int


def windows(owners: Sequence[int], seats: int, count: int) -> list[int]:
    """Return every `low` for which all permitted pairs might meet `low` to `low + 2` times.

    It takes appearances that differ by one at most for granted.  An empty list is a proof that
    there is no such sample; a window in it is none that there is one.
    """
    sizes = sorted(Counter(Counter(owners).values()).items())
    whole = _group(sizes)
    mean = count * seats * (seats - 1) // 2 // whole.pairs
    lows = range(max(0, mean - WITHIN), mean + 1)
    cuts = list(combinations_with_replacement(range(len(sizes) + 1), 2))
    groups = [(_group(sizes[:small]), _group(sizes[large:])) for small, large in cuts]
    both = [pair for small, large in groups for pair in ((small, large), (large, small))]
    return [low for low in lows if all(_fits(low, one, other, whole, seats, count) for one, other in both)]


def _fits(low: int, one: _Group, other: _Group, whole: _Group, seats: int, count: int) -> bool:
    """Tell whether the first group can have so many more meetings than the second as equal appearances ask."""
    each, over = divmod(count * seats, whole.entries)
    between = whole.entries - one.entries - other.entries
    fewest = each * one.entries + max(0, over - (whole.entries - one.entries))
    most = each * other.entries + min(over, other.entries)
    can = (low + WITHIN) * (2 * one.pairs + one.entries * between)
    must = low * (2 * other.pairs + other.entries * between)
    return (seats - 1) * (fewest - most) <= can - must


def _group(sizes: Sequence[tuple[int, int]]) -> _Group:
    entries = sum(size * owners for size, owners in sizes)
    return _Group(entries, (entries**2 - sum(owners * size**2 for size, owners in sizes)) // 2)

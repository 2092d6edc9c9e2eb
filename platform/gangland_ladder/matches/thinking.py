"""How long bots think: decisions counted by the power of two of CPU microseconds within which they were given."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from math import ceil, log2

HIGHEST = 40
"""The last class; its decisions took 13 days and more, which no limit allows."""

MOST = 1_000_000
"""So many decisions of a class are counted; a result may tell of no more."""


def octave(seconds: float) -> int:
    """Return the class of a decision: it took at most 2**class microseconds, and more than half of that."""
    return min(HIGHEST, max(0, ceil(log2(max(seconds, 1e-6) * 1e6))))


def octaves(decisions: Iterable[float]) -> dict[int, int]:
    """Return how many of some decisions, given in CPU seconds, are in each class, the quickest first."""
    ordered, counts, begin = sorted(decisions), {}, 0
    while begin < len(ordered):
        each = octave(ordered[begin])
        end = bisect_right(ordered, each, lo=begin, key=octave)
        counts[each], begin = min(end - begin, MOST), end
    return counts


def limit_s(octave: int) -> float:
    """Return the most CPU seconds that a decision of a class took."""
    return float(2**octave / 1e6)


def within_s(counts: Mapping[int, int], share: float) -> float | None:
    """Return the upper end of the class within which this share of the decisions was given, None without any."""
    left = share * sum(counts.values())
    for each in sorted(counts):
        left -= counts[each]
        if left <= 1e-9 and counts[each]:
            return limit_s(each)
    return None

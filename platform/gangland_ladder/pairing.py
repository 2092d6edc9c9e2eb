"""Who plays whom."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations


def tables(entries: Sequence[int], seats: int) -> list[tuple[int, ...]]:
    """Return every table of `seats` different entries, in canonical order: a round robin.

    Raises:
        ValueError: fewer entries than seats, or an entry twice.
    """
    if len(set(entries)) != len(entries):
        raise ValueError(f"an entry stands twice among {list(entries)!r}")
    if len(entries) < seats:
        raise ValueError(f"a table of {seats} needs at least {seats} bots, not {len(entries)}")
    return list(combinations(sorted(entries), seats))

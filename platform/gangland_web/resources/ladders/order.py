"""The order of a ladder: read once for each state of it that a process meets, and kept until the ladder changes.

Ranks, pages and what a match moved all hang on it.  A ladder's revision rises with all that its pages show (the tables'
triggers see to that), so what is kept of another revision is never used.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from math import hypot
from operator import itemgetter
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Integer, bindparam, select, true
from sqlmodel import Session, col

from gangland_web.models.tournaments import Entry
from gangland_web.resources.ladders.paging import Window

WIDE: Final = 2.5
"""A rating with a larger sigma says too little for a bracket; after the provisional matches it is smaller."""
APART: Final = 2.0
"""Two bots are too close to call while their mu differ by less than this many standard errors of the difference."""


class Order(NamedTuple):
    """Where the active entries of a ladder stand at a revision of it: keys and ratings, the worst first.

    `brackets` has, by entry, the best and the worst rank of its bracket: the first of it is too close to call from each
    of the others.  Who is in none has no item.
    """

    revision: int
    keys: Sequence[tuple[float, int]]
    ratings: Sequence[float]
    brackets: Mapping[int, tuple[int, int]]

    def rank(self, rating: float) -> int:
        """Return the rank of a rating; equal ones share it."""
        return 1 + len(self.ratings) - bisect_right(self.ratings, rating)

    def passed(self, before: float, after: float) -> int:
        """Return how many ratings lie between two; below 0 for a way down."""
        if before < after:
            return bisect_left(self.ratings, after) - bisect_right(self.ratings, before)
        return min(0, bisect_right(self.ratings, after) - bisect_left(self.ratings, before))

    def span(self, window: Window, size: int) -> tuple[int, int]:
        """Return from which key on, and before which, the page of a window lies."""
        if window.upwards and window.key is not None:
            begin = bisect_right(self.keys, window.key)
            return begin, min(begin + size, len(self.keys))
        end = len(self.keys) if window.key is None else bisect_left(self.keys, window.key)
        return max(0, end - size), end


def order_of(session: Session, ladder_id: int, revision: int) -> Order:
    """Return the order of a ladder that is at a revision in what the session reads."""
    kept = _KEPT.setdefault(session.get_bind(), {})  # by engine: sessions that write have another than those that read
    found = kept.get(ladder_id)
    if found is None or found.revision != revision:
        rows: Any = session.connection().execute(_ORDER, {"ladder": ladder_id}).all()
        keys, ratings = [(rating, entry) for rating, entry, _ in rows], list(map(itemgetter(0), rows))
        found = kept[ladder_id] = Order(revision, keys, ratings, brackets(rows))
    return found


def brackets(rows: Sequence[tuple[float, int, float]]) -> dict[int, tuple[int, int]]:
    """Return, by entry, the best and the worst rank of its bracket.

    From the best bot down, a bracket goes on while the next bot is too close to call from the bracket's first.  Bots
    whose rating is still wide are passed over.

    Args:
        rows: rating, entry and mu, the worst first.
    """
    found: dict[int, tuple[int, int]] = {}
    members: list[tuple[int, int]] = []
    first = (0.0, 0.0)
    rank, above = 0, None
    for number, (rating, entry, mu) in enumerate(reversed(rows), 1):
        rank, above = rank if rating == above else number, rating
        sigma = (mu - rating) / 3
        if sigma > WIDE:
            continue
        if not members or abs(first[0] - mu) >= APART * hypot(first[1], sigma):
            _close(found, members)
            members, first = [], (mu, sigma)
        members.append((entry, rank))
    _close(found, members)
    return found


def _close(found: dict[int, tuple[int, int]], members: Sequence[tuple[int, int]]) -> None:
    if len(members) > 1:
        found |= dict.fromkeys((entry for entry, _ in members), (members[0][1], members[-1][1]))


_KEPT: Final[WeakKeyDictionary[Any, dict[int, Order]]] = WeakKeyDictionary()
_ORDER: Any = (
    select(col(Entry.rating), col(Entry.id), col(Entry.mu))
    .where(col(Entry.tournament_id) == bindparam("ladder", type_=Integer), col(Entry.active) == true())
    .order_by(col(Entry.rating), col(Entry.id))
)
"""In the order of the index `ix_entries_board`."""

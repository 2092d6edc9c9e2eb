"""The order of a ladder: read once for each state of it that a process meets, and kept until the ladder changes.

Ranks, pages and what a match moved all hang on it.  A ladder's revision rises with all that its pages show (the tables'
triggers see to that), so what is kept of another revision is never used.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Integer, bindparam, select, true
from sqlmodel import Session, col

from gangland_web.resources.ladders.paging import Window
from gangland_web.store.models.tournaments import Entry


class Order(NamedTuple):
    """Where the active entries of a ladder stand at a revision of it: keys and ratings, the worst first."""

    revision: int
    keys: Sequence[tuple[float, int]]
    ratings: Sequence[float]

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
        found = kept[ladder_id] = Order(revision, rows, list(map(itemgetter(0), rows)))
    return found


_KEPT: Final[WeakKeyDictionary[Any, dict[int, Order]]] = WeakKeyDictionary()
_ORDER: Any = (
    select(col(Entry.rating), col(Entry.id))
    .where(col(Entry.tournament_id) == bindparam("ladder", type_=Integer), col(Entry.active) == true())
    .order_by(col(Entry.rating), col(Entry.id))
)
"""All off the index `ix_entries_board`."""

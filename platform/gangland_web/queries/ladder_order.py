"""The order of a ladder: which page of it is asked for, ranks, and brackets of bots that are too close to call."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from math import hypot, isfinite
from operator import itemgetter
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Integer, bindparam, select, true
from sqlmodel import Session, col

from gangland_ladder.matches.match_orders import HIGHEST_ID
from gangland_web.models.tournaments import Entry

# Paging: where a page begins, below or above an entry, wherever that is by now.


class Key(NamedTuple):
    """A place in the order of a leaderboard: the rating and the id of the entry that has it or had it."""

    rating: float
    entry: int

    @property
    def text(self) -> str:
        """The key as addresses have it; read again, it is the same to the last bit."""
        return f"{self.rating!r}:{self.entry}"


class Window(NamedTuple):
    """Which page is asked for: the one below a key, the one above it, or the first if there is no key."""

    key: Key | None = None
    upwards: bool = False

    @property
    def text(self) -> str:
        """The window in a word, equal for equal windows."""
        return "" if self.key is None else f"{'before' if self.upwards else 'after'}={self.key.text}"


FIRST_PAGE = Window()


def read_key(text: str) -> Key:
    """Return the key that an address gives.

    Raises:
        ValueError: it is none.
    """
    rating, colon, entry = text.partition(":")
    if not colon or len(text) > 60 or not entry.isdecimal() or not entry.isascii():
        raise ValueError("a key is a rating and an entry's number with a colon between them")
    key = Key(float(rating), int(entry))
    if not isfinite(key.rating) or key.entry > HIGHEST_ID:
        raise ValueError("a key is a rating and an entry's number, both within their bounds")
    return key


# The order: read once for each revision of a ladder, and kept by the process until it changes.
#
# Ranks, pages and what a match moved depend on it. Triggers raise a ladder's revision with everything that its pages
# show, so what is kept of another revision is never used.


WIDE: Final = 2.5
"""A rating with a larger sigma says too little for a bracket; after the provisional matches it is smaller."""
APART: Final = 2.0
"""Two bots are too close to call while their mu differ by less than this many standard errors of the difference."""


class Order(NamedTuple):
    """The order of the active entries of a ladder at a revision of it: keys and ratings, the worst first.

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
        """Return how many ratings are between two; below 0 on the way down."""
        if before < after:
            return bisect_left(self.ratings, after) - bisect_right(self.ratings, before)
        return min(0, bisect_right(self.ratings, after) - bisect_left(self.ratings, before))

    def span(self, window: Window, size: int) -> tuple[int, int]:
        """Return the first key of the page of a window, and the one after its last."""
        if window.upwards and window.key is not None:
            begin = bisect_right(self.keys, window.key)
            return begin, min(begin + size, len(self.keys))
        end = len(self.keys) if window.key is None else bisect_left(self.keys, window.key)
        return max(0, end - size), end


def order_of(session: Session, ladder_id: int, revision: int) -> Order:
    """Return the order of a ladder that is at a revision in what the session reads."""
    kept = _KEPT.setdefault(session.get_bind(), {})  # by engine: sessions that write have another than those that read
    order = kept.get(ladder_id)
    if order is None or order.revision != revision:
        rows: Any = session.connection().execute(_ORDER, {"ladder": ladder_id}).all()
        keys, ratings = [(rating, entry) for rating, entry, _ in rows], list(map(itemgetter(0), rows))
        order = kept[ladder_id] = Order(revision, keys, ratings, brackets(rows))
    return order


def brackets(rows: Sequence[tuple[float, int, float]]) -> dict[int, tuple[int, int]]:
    """Return, by entry, the best and the worst rank of its bracket.

    From the best bot down, a bracket goes on while the next bot is too close to call from the bracket's first.  Bots
    whose rating is still wide are passed over.

    Args:
        rows: rating, entry and mu, the worst first.
    """
    by_entry: dict[int, tuple[int, int]] = {}
    members: list[tuple[int, int]] = []
    first = (0.0, 0.0)
    rank, above = 0, None
    for number, (rating, entry, mu) in enumerate(reversed(rows), 1):
        rank, above = rank if rating == above else number, rating
        sigma = (mu - rating) / 3
        if sigma > WIDE:
            continue
        if not members or abs(first[0] - mu) >= APART * hypot(first[1], sigma):
            _close(by_entry, members)
            members, first = [], (mu, sigma)
        members.append((entry, rank))
    _close(by_entry, members)
    return by_entry


def _close(by_entry: dict[int, tuple[int, int]], members: Sequence[tuple[int, int]]) -> None:
    if len(members) > 1:
        by_entry |= dict.fromkeys((entry for entry, _ in members), (members[0][1], members[-1][1]))


_KEPT: Final[WeakKeyDictionary[Any, dict[int, Order]]] = WeakKeyDictionary()
_ORDER: Any = (
    select(col(Entry.rating), col(Entry.id), col(Entry.mu))
    .where(col(Entry.tournament_id) == bindparam("ladder", type_=Integer), col(Entry.active) == true())
    .order_by(col(Entry.rating), col(Entry.id))
)
"""In the order of the index `ix_entries_board`."""

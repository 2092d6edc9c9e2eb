"""Where a page of a leaderboard begins: beyond an entry, downwards or upwards, wherever that stands by now."""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

_HIGHEST_ID = 2**31 - 1


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
    if not isfinite(key.rating) or key.entry > _HIGHEST_ID:
        raise ValueError("a key is a rating and an entry's number, both within their bounds")
    return key

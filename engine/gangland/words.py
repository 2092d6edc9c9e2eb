"""Build phrases for the sentences of all games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_SPELLED: Final = dict(
    enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 2)
)


def join_and(parts: Sequence[str]) -> str:
    """Return "a", "a and b", "a, b and c"."""
    return " and ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)


def join_or(parts: Sequence[str]) -> str:
    """Return "a", "a or b", "a, b or c"."""
    return " or ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)


def number_word(number: int) -> str:
    """Return "two", "three", up to "twelve"; other numbers as digits."""
    return _SPELLED.get(number, str(number))


def times(number: int) -> str:
    """Return "once", "twice", "3 times"."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")

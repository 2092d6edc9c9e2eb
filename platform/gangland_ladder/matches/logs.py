"""What a bot logged in one game, and which of it at which decision.

The referee marks where the log stands before it asks and after it was answered.  The bot has no part in that: what it
writes about its decisions is text like all else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

LogMark = tuple[int, int, int]
"""A decision's number in the game, and where the log of it begins and ends, in characters."""
LogPart = tuple[int | None, str]
"""A piece of a log and the decision at which it was written; None between decisions, before and after them."""


class Log(NamedTuple):
    """A bot's log of one game; the marks go forward, in the game and in the text."""

    text: str
    marks: list[LogMark]


def log_parts(text: str, marks: Sequence[LogMark]) -> list[LogPart]:
    """Return a log cut up at its marks, in order; line ends between the parts, and empty ones, are left out."""
    return [part for part in _cut(text, marks) if part[1]]


def _cut(text: str, marks: Sequence[LogMark]) -> Iterator[LogPart]:
    at = 0
    for decision, begin, end in marks:
        yield None, text[at:begin].strip("\n")
        yield decision, text[begin:end]
        at = end
    yield None, text[at:].strip("\n")

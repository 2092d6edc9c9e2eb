"""Both games by hand: one tight loop each, the yardstick of what plain Python can do.

Nothing of the engine is used here, nothing is recorded for a replay, and there are no options and no
characters.  The rules are the same: `tests/benchmarks` gives both the same dice, cards and decisions and
compares every game.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

Player = Callable[[Any, int], int]
"""Whoever decides: gets an observation and how many answers are legal, returns the index of one."""


class Result(NamedTuple):
    """A finished game: its places by seat, its rounds, and how many decisions were asked."""

    places: tuple[int, ...]
    rounds: int
    decisions: int

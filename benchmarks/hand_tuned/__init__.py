"""Both games as hand-tuned loops, the yardstick for plain Python.

The loops do not use the engine, record no replays, and have no options and no characters.  The rules are
the same: `tests/benchmarks` gives both the same dice, cards and decisions and compares every game.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

Player = Callable[[Any, int], int]
"""A function that takes an observation and the number of legal answers, and returns the index of an answer."""


class Result(NamedTuple):
    """A finished game: its places by seat, its rounds, and its number of decisions."""

    places: tuple[int, ...]
    rounds: int
    decisions: int

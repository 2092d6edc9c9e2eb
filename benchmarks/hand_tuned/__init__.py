"""Both games by hand: one tight loop each, the yardstick for plain Python.

They use nothing of the engine, record no replay, and have no options and no characters.  The rules are
the same: `tests/benchmarks` gives both the same dice, cards and decisions and compares every game.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

Player = Callable[[Any, int], int]
"""Decides: takes an observation and the number of legal answers, returns the index of one."""


class Result(NamedTuple):
    """A finished game: its places by seat, its rounds, and its number of decisions."""

    places: tuple[int, ...]
    rounds: int
    decisions: int

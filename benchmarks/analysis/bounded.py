"""Shared parts of the measurements of the analysis: games until a time limit, and means with standard errors."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Sum:
    """A mean and its standard error, over independent games."""

    value: float
    error: float
    games: int

    @classmethod
    def of(cls, values: Any, games: Any = None) -> Sum:
        """Return the mean of values; values of the same game are not independent.

        Args:
            games: the number of the game of each value; None for one value per game.
        """
        numbers, at = np.unique(np.arange(len(values)) if games is None else games, return_inverse=True)
        if not len(numbers):
            return cls(0.0, 0.0, 0)
        mean = float(np.mean(values))
        off = np.bincount(at, np.asarray(values) - mean)
        few = len(numbers) / max(1, len(numbers) - 1)
        return cls(mean, sqrt(few * float(off @ off)) / len(at), len(numbers))

    @property
    def points(self) -> str:
        """The mean and its error in hundredths, signed."""
        return f"{100 * self.value:+.1f} ± {100 * self.error:.1f}"

    @property
    def z(self) -> float:
        """The distance from 0 in standard errors."""
        return self.value / self.error if self.error else 0.0

    def __str__(self) -> str:
        return f"{self.value:.3f} ± {self.error:.3f}"


def in_time(numbers: Iterable[int], until: float) -> Iterator[int]:
    """Yield numbers until a time of the monotonic clock."""
    for number in numbers:
        if time.monotonic() > until:
            return
        yield number

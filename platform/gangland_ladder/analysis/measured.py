"""What is measured of a game at one table size, on house bots, and what stands in where nothing was."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

MEASURED_BLOCKS: Final = (*range(1, 13), 16, 24, 32, 48, 64, 96)


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured at a table.

    Attributes:
        places_per_unit: by how many places a seat ends better for each unit of its net luck; `python -m
            benchmarks.measured luck` prints it.
        match_s, game_s, record_s: CPU seconds (`pairing.costs`) of matches of 12 blocks, as `python -m
            benchmarks.measured costs` prints them.
        draws: one chance of a draw for each of `MEASURED_BLOCKS`; at 12 blocks their standard errors are between 5
            and 13 %.  At three seats an odd number of blocks ties less often than the even one after it, which is why
            each of the first twelve stands here.  Never 0: a draw that cannot be would raise sigma in the package.
            `python -m benchmarks.measured draws 300` prints them.
    """

    places_per_unit: Fraction
    match_s: float
    game_s: float
    record_s: float
    draws: tuple[float, ...]


UNMEASURED: Final = Measured(
    places_per_unit=Fraction(0),
    match_s=0.15,
    game_s=0.015,
    record_s=0.0025,
    draws=tuple(0.1 / sqrt(blocks) for blocks in MEASURED_BLOCKS),
)
"""Of a game that nobody measured: places are not adjusted by luck, it costs what the dearest measured table does, and
two bots tie in one block out of ten, which falls with the root of the blocks: between what the measured tables have."""

"""What `training` worked out, read from one file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from gangland.gang_of_dice.state import ROUNDS
from gangland_ladder.analysis.games.gang_of_dice.multisets import MOST_DICE, Floats
from gangland_ladder.analysis.games.gang_of_dice.network import Network, Networks
from gangland_ladder.analysis.games.gang_of_dice.plans import Plans

VERSION: Final = 1
FILE: Final = Path(__file__).with_name(f"values-{VERSION}.npz")
UNITS: Final = 65535
"""Chances are kept in so many parts."""


class Tables:
    """Everything that was learned or worked out beforehand.

    Attributes:
        networks: by seats in play and round.
    """

    def __init__(self, ends: Floats, reached: Floats, networks: Networks) -> None:
        self._ends = ends
        self._reached = reached
        self.networks = networks
        self.plans = cache(self._plans)

    def _plans(self, card: int) -> Plans:
        return Plans(card, self._ends[card] / UNITS, self._reached[card])

    def holds_up(self, card: int) -> float:
        """Return what part of the chance to end without a bust is left with one die more than `MOST_DICE`."""
        fewer, most = self._reached[card, MOST_DICE - 1, 0], self._reached[card, MOST_DICE, 0]
        return float(most / fewer) if fewer else 0.0


def saved(ends: Floats, reached: Floats, networks: Networks) -> dict[str, Any]:
    """Return the arrays of a file."""
    arrays: dict[str, Any] = {"ends": np.round(ends * UNITS).astype(np.uint16), "reached": reached}
    for (seats, number), network in networks.items():
        for place, array in enumerate((*network.arrays, network.close)):
            arrays[f"network {seats} {number} {place}"] = array.astype(np.float32)
        arrays[f"totals {seats} {number}"] = network.totals
    return arrays


def read(arrays: Mapping[str, Any]) -> Tables:
    """Return the tables of a file's arrays."""
    networks: dict[tuple[int, int], Network] = {}
    for seats in (2, 3, 4):
        for number in range(1, ROUNDS + 1):
            one, two, three, four, five, six, traits, close = [
                arrays[f"network {seats} {number} {place}"].astype(np.float64) for place in range(8)
            ]
            totals = arrays[f"totals {seats} {number}"]
            networks[seats, number] = Network((one, two, three), (four, five, six), traits, totals, close)
    return Tables(arrays["ends"], arrays["reached"], networks)


@cache
def tables() -> Tables:
    """Return the tables of the file that ships with the package."""
    with np.load(FILE, allow_pickle=False) as arrays:
        return read(arrays)

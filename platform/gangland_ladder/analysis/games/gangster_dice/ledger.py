"""The changes of one step as they are written down, so that they add up to the last bit that matters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gangland_ladder.analysis.account import Cause, Change, Judged, Moment
from gangland_ladder.analysis.games.gangster_dice.positions import Floats


class Ledger:
    """The values as they change in a step.

    Attributes:
        values: by seat, as they stand.
    """

    def __init__(self, values: Floats) -> None:
        self.values = values
        self._changes: list[Change] = []
        self._judged: list[Judged] = []

    def to(self, cause: Cause, seat: int | None, values: Floats) -> None:
        """Let the values become others."""
        self.add(cause, seat, values - self.values)
        self.values = np.array(values)

    def add(self, cause: Cause, seat: int | None, amounts: Floats) -> None:
        """Add amounts to the values; a change of nothing is not written down."""
        self.values = self.values + amounts
        if np.any(amounts):
            self._changes.append(Change(cause, seat, tuple(map(float, amounts))))

    def judge(self, judged: Judged, amounts: Floats) -> None:
        """Write down a decision and what it changed."""
        self._judged.append(judged)
        self.add(Cause.DECISION, judged.seat, amounts)

    def moment(self) -> Moment:
        """Return the step."""
        judged: Sequence[Judged] = sorted(self._judged, key=lambda each: each.seat)
        return Moment(tuple(map(float, self.values)), tuple(self._changes), tuple(judged))

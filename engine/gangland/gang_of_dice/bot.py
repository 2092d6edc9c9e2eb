"""The base class of a bot for Gang of Dice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from operator import index
from typing import Any, ClassVar

from gangland.answers import items, short_repr
from gangland.bot import BaseBot
from gangland.gang_of_dice.views import View

_EXPECTED = {
    "dice": "a whole number of dice, 1 to view.pool",
    "reroll": "a list of faces to reroll, such as [1, 1, 0], or [] to stop",
}


class Bot(BaseBot, ABC):
    """Subclass this once and define `choose_dice`."""

    kinds: ClassVar[tuple[str, ...]] = ("dice", "reroll")

    @abstractmethod
    def choose_dice(self, view: View) -> int:
        """Return the number of dice to roll, 1 to `view.pool`; you are not asked if you hold one die."""

    def choose_reroll(self, view: View) -> Sequence[int]:
        """Return the faces to reroll, each at most as often as it shows in `view.dice`; [] stops.

        You are asked up to twice a turn: under a yellow warning only while it is not triggered, always
        under a black one, because a reroll can still undo the trigger.  By default: stop.
        """
        return ()

    @classmethod
    def encode(cls, kind: str, answer: Any) -> Any:
        """Return an answer as a number of dice or a list of faces.  Raises TypeError: it has the wrong type."""
        if kind not in _EXPECTED:
            raise TypeError(f"Gang of Dice has no decision of kind {kind!r}")
        try:
            return _number(answer) if kind == "dice" else _numbers(answer)
        except TypeError:
            raise TypeError(f"expected {_EXPECTED[kind]}, got {short_repr(answer)}") from None


def _number(value: Any) -> int:
    if isinstance(value, bool):  # True is not a number of dice
        raise TypeError("bool")
    return index(value)


def _numbers(values: Any) -> list[int]:
    faces = items(values)
    if faces is None:
        raise TypeError("neither list nor tuple")
    return [_number(face) for face in faces]

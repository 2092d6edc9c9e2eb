"""The base class of a bot for Bust."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from gangland.bot import BaseBot
from gangland.bust.views import View

BANK, ROLL = 0, 1


class Bot(BaseBot, ABC):
    """Derive one class from this and define `choose_turn`."""

    kinds: ClassVar[tuple[str, ...]] = ("turn",)

    @abstractmethod
    def choose_turn(self, view: View) -> int:
        """Return `ROLL` or `BANK`."""

    @classmethod
    def encode(cls, kind: str, answer: Any) -> Any:
        """Return an answer as a plain number; TypeError if it is none."""
        if kind != "turn" or not isinstance(answer, int) or isinstance(answer, bool):
            raise TypeError(f"expected ROLL or BANK, got {answer!r}")
        return int(answer)

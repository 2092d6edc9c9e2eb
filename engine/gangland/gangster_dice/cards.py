"""The content of the box as data: dice, tokens and favor cards."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

Dice = tuple[int, int, int]
"""The numbers of white, red and blue dice."""


class Token(IntEnum):
    """The four influence tokens; each bid is on one of them."""

    LAWYER = 0
    SPEAKEASY = 1
    STREETS = 2
    INVESTIGATOR = 3


class Colour(IntEnum):
    """The three colors of dice."""

    WHITE = 0
    RED = 1
    BLUE = 2


# The rules compute with plain numbers, which jails and replays use unchanged.
TOKENS: Final = (0, 1, 2, 3)
COLORS: Final = (0, 1, 2)
LAWYER: Final = 0
SPEAKEASY: Final = 1
STREETS: Final = 2
INVESTIGATOR: Final = 3

TOKEN_NAMES: Final = ("Lawyer", "Speakeasy", "Streets", "Investigator")
COLOUR_NAMES: Final = ("white", "red", "blue")
SYMBOL_NAMES: Final = ("gavel", "cocktail", "gun", "finger")
"""The symbol of each token, in token order."""

DIE_FACES: Final = (
    (INVESTIGATOR, INVESTIGATOR, LAWYER, LAWYER, SPEAKEASY, STREETS),
    (INVESTIGATOR, INVESTIGATOR, STREETS, STREETS, LAWYER, SPEAKEASY),
    (INVESTIGATOR, INVESTIGATOR, SPEAKEASY, SPEAKEASY, LAWYER, STREETS),
)
"""By color, the tokens of a die's raw faces 0 to 5 (G3): two fingers, the doubled symbol, the other two (G39)."""

NO_DICE: Final[Dice] = (0, 0, 0)
FIRST_STASH: Final[Dice] = (2, 2, 2)
FIRST_SPEAKEASY: Final[Dice] = (1, 1, 1)

DECK: Final = (0,) * 6 + (1,) * 12 + (2,) * 12 + (3,) * 6
"""The favors of the deck, in ascending order."""
SPECIAL: Final = 4
"""The value of the special favors, which are in a separate stack."""
SPECIALS: Final = 6
HAND_LIMIT: Final = 3
"""The number of favors in a hand without characters."""
EXCHANGE_LIMIT: Final = 3
"""The maximum number of dice on each side of an exchange (G18)."""


def plus(dice: Dice, more: Dice) -> Dice:
    """Return the sum of two sets of dice, color by color."""
    return (dice[0] + more[0], dice[1] + more[1], dice[2] + more[2])


def minus(dice: Dice, fewer: Dice) -> Dice:
    """Return the dice without `fewer`, color by color."""
    return (dice[0] - fewer[0], dice[1] - fewer[1], dice[2] - fewer[2])


def of_color(color: int, count: int = 1) -> Dice:
    """Return `count` dice of one color."""
    return (count if color == 0 else 0, count if color == 1 else 0, count if color == 2 else 0)

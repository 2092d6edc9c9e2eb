"""The warning cards and the decks made of them (ruling table W-24), as data.

Printed conditions come from the box.  Their colors are not published, so **every color here is this project's own
choice**.  To correct the deck, change only `WARNINGS` and `DECKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from gangland.view import unchangeable

GANGSTER = 0
"""The face without a number: it is worth 0, does not equal any number, and is neither odd nor even."""
NUMBERS = (1, 2, 3, 4, 5)
FACES = (GANGSTER, *NUMBERS)


class Colour(StrEnum):
    """The color of a warning: black is checked once, on the final roll (D12); yellow after every roll (D11)."""

    BLACK = "black"
    YELLOW = "yellow"


class Source(StrEnum):
    """The source of a condition; all colors are this project's own."""

    PRINTED = "printed"
    SECOND_COLOUR = "printed condition in a second colour"
    OURS = "ours"


ConditionKind = Literal["total", "among", "equal", "different", "pairs", "run"]


@unchangeable
@dataclass(frozen=True, slots=True)
class Condition:
    """The condition that triggers a warning.

    Attributes:
        kind: "total" - the total is at least `number` (D27); "among" - at least `number` dice show one of `faces`;
            "equal" - `number` dice show the same number; "different" - `number` different numbers show; "pairs" -
            `number` different numbers show at least twice each; "run" - `number` consecutive numbers show (D25).
        number: the number in the condition.
        faces: only for "among".
    """

    kind: ConditionKind
    number: int
    faces: tuple[int, ...] = ()


def _among(condition: Condition, dice: Sequence[int]) -> bool:
    count = 0
    for face in condition.faces:
        count += dice.count(face)
    return count >= condition.number


def _equal(condition: Condition, dice: Sequence[int]) -> bool:
    required = condition.number
    for face in NUMBERS:  # noqa: SIM110 (a generator takes twice as long)
        if dice.count(face) >= required:
            return True
    return False


def _pairs(condition: Condition, dice: Sequence[int]) -> bool:
    pairs = 0
    for face in NUMBERS:
        if dice.count(face) >= 2:
            pairs += 1
    return pairs >= condition.number


def _run(condition: Condition, dice: Sequence[int]) -> bool:
    longest = 0
    for face in NUMBERS:
        longest = longest + 1 if face in dice else 0
        if longest == condition.number:
            return True
    return False


_TESTS: dict[ConditionKind, Callable[[Condition, Sequence[int]], bool]] = {
    "total": lambda condition, dice: sum(dice) >= condition.number,
    "among": _among,
    "equal": _equal,
    "different": lambda condition, dice: len(set(dice) - {GANGSTER}) >= condition.number,
    "pairs": _pairs,
    "run": _run,
}


@unchangeable
@dataclass(frozen=True, slots=True)
class WarningCard:
    """A warning card.

    Attributes:
        id: B1 to B12 (black) and Y1 to Y12 (yellow).
        colour: "black" or "yellow".
        condition: the condition that triggers it.
        words: the condition in English.
        black: whether it is checked once, on the final roll (D12).
        yellow: whether it is checked after every roll, and a trigger ends the turn at once (D11).
    """

    id: str
    colour: Colour
    condition: Condition
    words: str
    source: Source
    black: bool = field(init=False, repr=False, compare=False)
    yellow: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "black", self.colour is Colour.BLACK)
        object.__setattr__(self, "yellow", self.colour is Colour.YELLOW)

    def __str__(self) -> str:
        return f"{self.id} ({self.colour}): {self.words}"

    def triggered_by(self, dice: Sequence[int]) -> bool:
        """Return whether these faces trigger the warning; 0 is the gangster, which is no number (D24, D26).

        More dice never undo a trigger.
        """
        return _TESTS[self.condition.kind](self.condition, dice)


ODD, EVEN = (1, 3, 5), (2, 4)
_BLACK, _YELLOW = Colour.BLACK, Colour.YELLOW
_PRINTED, _SECOND, _OURS = Source.PRINTED, Source.SECOND_COLOUR, Source.OURS

WARNINGS: tuple[WarningCard, ...] = (
    WarningCard("B1", _BLACK, Condition("total", 7), "a total of 7 or more", _PRINTED),
    WarningCard("B2", _BLACK, Condition("total", 10), "a total of 10 or more", _PRINTED),
    WarningCard("B3", _BLACK, Condition("total", 11), "a total of 11 or more", _PRINTED),
    WarningCard("B4", _BLACK, Condition("total", 13), "a total of 13 or more", _PRINTED),
    WarningCard("B5", _BLACK, Condition("total", 16), "a total of 16 or more", _OURS),
    WarningCard("B6", _BLACK, Condition("equal", 2), "two equal numbers", _PRINTED),
    WarningCard("B7", _BLACK, Condition("different", 2), "two or more different numbers", _PRINTED),
    WarningCard("B8", _BLACK, Condition("different", 3), "three or more different numbers", _PRINTED),
    WarningCard("B9", _BLACK, Condition("among", 1, ODD), "any odd number", _PRINTED),
    WarningCard("B10", _BLACK, Condition("among", 1, (3, 4, 5)), "any 3, 4 or 5", _PRINTED),
    WarningCard("B11", _BLACK, Condition("equal", 3), "three equal numbers", _OURS),
    WarningCard("B12", _BLACK, Condition("pairs", 2), "two different numbers, each at least twice", _OURS),
    WarningCard("Y1", _YELLOW, Condition("total", 13), "a total of 13 or more", _SECOND),
    WarningCard("Y2", _YELLOW, Condition("run", 2), "two consecutive numbers", _PRINTED),
    WarningCard("Y3", _YELLOW, Condition("run", 3), "three consecutive numbers", _PRINTED),
    WarningCard("Y4", _YELLOW, Condition("among", 2, ODD), "two or more odd numbers", _PRINTED),
    WarningCard("Y5", _YELLOW, Condition("among", 3, ODD), "three or more odd numbers", _PRINTED),
    WarningCard("Y6", _YELLOW, Condition("among", 2, (5,)), "two or more fives", _PRINTED),
    WarningCard("Y7", _YELLOW, Condition("among", 1, (1,)), "any 1", _PRINTED),
    WarningCard("Y8", _YELLOW, Condition("among", 1, (4, 5)), "any 4 or 5", _PRINTED),
    WarningCard("Y9", _YELLOW, Condition("equal", 3), "three equal numbers", _OURS),
    WarningCard("Y10", _YELLOW, Condition("different", 4), "four or more different numbers", _OURS),
    WarningCard("Y11", _YELLOW, Condition("among", 2, EVEN), "two or more even numbers", _OURS),
    WarningCard("Y12", _YELLOW, Condition("among", 2, (GANGSTER,)), "two or more gangsters", _OURS),
)
"""All cards.  A card's number, in shuffles and wires, is its index here, from 0."""

NUMBER_OF: dict[str, int] = {card.id: number for number, card in enumerate(WARNINGS)}


def numbers_of(ids: str) -> tuple[int, ...]:
    """Return the numbers of the cards with these ids, such as "B1 Y12", for a deck."""
    return tuple(NUMBER_OF[name] for name in ids.split())


@dataclass(frozen=True, slots=True)
class Stack:
    """Cards that are shuffled together; the first `rounds` of them are played, the others stay hidden."""

    cards: tuple[int, ...]
    rounds: int


DECKS: dict[str, tuple[Stack, ...]] = {
    "w24": (Stack(tuple(range(len(WARNINGS))), 12),),
    "box18": (
        Stack(numbers_of("B1 B2 B3 B4 B6 B7 B8 Y2 Y3 Y4 Y5 Y6"), 9),  # bright backs, rounds 1 to 9
        Stack(numbers_of("B9 B10 Y1 Y7 Y8 Y12"), 3),  # dark backs, rounds 10 to 12
    ),
}
"""The decks by the name of the option; the backs of `box18` are this project's choice too."""

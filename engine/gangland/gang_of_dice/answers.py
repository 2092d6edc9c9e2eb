"""The legal answers in Gang of Dice, their canonical form, and the messages for illegal answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from gangland.answers import items, short_repr
from gangland.faults import IllegalDecision
from gangland.gang_of_dice.counts import Counts, Dice, count_rerolls, dice_of, reroll_at
from gangland.gang_of_dice.warnings import GANGSTER


def legal_dice(pool: int) -> str:
    """Return a description of the legal numbers of dice to stake (D6)."""
    return f"a number of dice from 1 to {pool}"


def legal_reroll(dice: Counts) -> str:
    """Return a description of the legal rerolls (D7 to D9)."""
    hint = f" (a gangster is {GANGSTER})" if dice[GANGSTER] else ""
    return f"faces among {faces_text(dice_of(dice))}{hint}, each at most as often as it shows, or [] to stop"


def faces_text(dice: Sequence[int]) -> str:
    """Return dice as readable text, the best first: [5, 2, gangster]."""
    best_first = sorted(dice, reverse=True)
    return f"[{', '.join('gangster' if face == GANGSTER else str(face) for face in best_first)}]"


def check_dice(pool: int, answer: object) -> int:
    """Return the number of dice.  Raises IllegalDecision: it is not a number from 1 to the pool."""
    if type(answer) is int and 1 <= answer <= pool:
        return answer
    raise IllegalDecision(f"{short_repr(answer)} is not legal. Allowed: {legal_dice(pool)}.")


def check_reroll(dice: Counts, answer: object) -> Dice:
    """Return the faces to reroll, sorted.  Raises IllegalDecision: it is not a list of faces that the dice show."""
    faces = items(answer)
    if faces is not None:
        if not faces:
            return ()
        if len(faces) <= sum(dice) and (reroll := _sorted_reroll(dice, faces)) is not None:
            return reroll
    raise IllegalDecision(f"{short_repr(answer)} is not legal. Allowed: {legal_reroll(dice)}.")


def _sorted_reroll(dice: Counts, answer: Sequence[object]) -> Dice | None:
    """Return these faces sorted, or None if the dice show one of them less often."""
    remaining, faces = list(dice), []
    for face in answer:
        if type(face) is not int or not 0 <= face < len(remaining) or not remaining[face]:
            return None
        remaining[face] -= 1
        faces.append(face)
    return tuple(sorted(faces))


class Rerolls(Sequence[Dice]):
    """All legal rerolls of some dice.

    Each one is computed on access, because 48 dice have up to 531,441 rerolls, and a larger pool can have millions.
    """

    __slots__ = ("_dice", "_length")

    def __init__(self, dice: Counts) -> None:
        self._dice = dice
        self._length = count_rerolls(dice)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Dice: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Dice]: ...
    def __getitem__(self, index: int | slice) -> Dice | Sequence[Dice]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return dice_of(reroll_at(self._dice, index % self._length))

    def __contains__(self, item: object) -> bool:
        try:
            return isinstance(item, tuple) and check_reroll(self._dice, item) == item
        except IllegalDecision:
            return False

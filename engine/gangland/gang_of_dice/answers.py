"""Which answers are legal, what they are in canonical form, and the words for those that are not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from gangland.answers import items
from gangland.answers import shown as shown_in_words
from gangland.faults import IllegalDecision
from gangland.gang_of_dice.counts import Counts, Dice, count_rerolls, dice_of, reroll_at
from gangland.gang_of_dice.warnings import GANGSTER


def legal_dice(pool: int) -> str:
    """Return in words how many dice may be staked (D6)."""
    return f"a number of dice from 1 to {pool}"


def legal_reroll(shown: Counts) -> str:
    """Return in words which dice may be rolled again (D7 to D9)."""
    hint = f" (a gangster is {GANGSTER})" if shown[GANGSTER] else ""
    return f"faces among {faces_in_words(dice_of(shown))}{hint}, each as often as it shows, or [] to stop"


def faces_in_words(dice: Sequence[int]) -> str:
    """Return dice as a person reads them, the best first: [5, 2, gangster]."""
    best_first = sorted(dice, reverse=True)
    return f"[{', '.join('gangster' if face == GANGSTER else str(face) for face in best_first)}]"


def check_dice(pool: int, answer: object) -> int:
    """Return the number of dice.  Raises IllegalDecision: no number from 1 to the pool."""
    if type(answer) is int and 1 <= answer <= pool:
        return answer
    raise IllegalDecision(f"{shown_in_words(answer)} is not legal. Allowed: {legal_dice(pool)}.")


def check_reroll(shown: Counts, answer: object) -> Dice:
    """Return the faces to roll again, sorted.  Raises IllegalDecision: no list of faces that show."""
    faces = items(answer)
    if faces is not None:
        if not faces:
            return ()
        if len(faces) <= sum(shown) and (again := _all_show(shown, faces)) is not None:
            return again
    raise IllegalDecision(f"{shown_in_words(answer)} is not legal. Allowed: {legal_reroll(shown)}.")


def _all_show(shown: Counts, answer: Sequence[object]) -> Dice | None:
    """Return these faces sorted if the dice show them, none of them more often than it shows; else None."""
    left, again = list(shown), []
    for face in answer:
        if type(face) is not int or not 0 <= face < len(left) or not left[face]:
            return None
        left[face] -= 1
        again.append(face)
    return tuple(sorted(again))


class Rerolls(Sequence[Dice]):
    """Every legal reroll of some dice, without making them all: 48 dice have up to 531,441, a won pool millions."""

    __slots__ = ("_length", "_shown")

    def __init__(self, shown: Counts) -> None:
        self._shown = shown
        self._length = count_rerolls(shown)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Dice: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Dice]: ...
    def __getitem__(self, index: int | slice) -> Dice | Sequence[Dice]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return dice_of(reroll_at(self._shown, index % self._length))

    def __contains__(self, item: object) -> bool:
        try:
            return isinstance(item, tuple) and check_reroll(self._shown, item) == item
        except IllegalDecision:
            return False

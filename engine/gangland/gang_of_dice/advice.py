"""What an author is told of an illegal answer in Gang of Dice, besides what is legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gangland.gang_of_dice.answers import faces_in_words
from gangland.gang_of_dice.views import View
from gangland.words import times


def sight(view: View, kind: str) -> str:
    """Return the dice that the words of legality leave out."""
    return f"You rolled {faces_in_words(view.dice)}. " if kind == "reroll" else f"You hold {view.pool} dice. "


def wrong_faces(view: View, answer: Sequence[object]) -> list[str]:
    """Return which faces of a list cannot be rolled again."""
    if not all(type(face) is int for face in answer):
        return []
    shown: Counter[object] = Counter(view.dice)
    over = [face for face, number in Counter(answer).items() if number > shown[face]]
    return [f"{face} shows {times(shown[face])} only" if shown[face] else f"no die shows {face}" for face in over]

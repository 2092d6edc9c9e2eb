"""Explain to a bot's author which parts of an illegal answer are wrong, in Gang of Dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gangland.gang_of_dice.answers import faces_text
from gangland.gang_of_dice.views import View
from gangland.words import times


def dice_sentence(view: View, kind: str) -> str:
    """Return a sentence with the seat's dice, which the list of legal answers does not mention."""
    return f"You rolled {faces_text(view.dice)}. " if kind == "reroll" else f"You hold {view.pool} dice. "


def wrong_faces(view: View, answer: Sequence[object]) -> list[str]:
    """Return a message for each face that the answer rerolls more often than it was rolled."""
    if not all(type(face) is int for face in answer):
        return []
    counts: Counter[object] = Counter(view.dice)
    excess = [face for face, number in Counter(answer).items() if number > counts[face]]
    return [f"{face} shows only {times(counts[face])}" if counts[face] else f"no die shows {face}" for face in excess]

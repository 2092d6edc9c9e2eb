"""Of what decisions of Gang of Dice are put together: a number of dice, or faces that show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from gangland.gang_of_dice.views import View
from gangland.gang_of_dice.warnings import GANGSTER
from gangland.view import View as AnyView
from gangland_ladder.playing.questions import AnyOf, Enumerated, Part, Spelling


def spelling(view: AnyView, kind: str) -> Spelling:
    """Return how the legal decisions are put together: `number:4`, or `face:1` for each die that is rolled again."""
    shown = cast(View, view)
    return _stake(shown.pool) if kind == "dice" else _reroll(shown.dice)


def _stake(pool: int) -> Spelling:
    numbers = range(1, pool + 1)
    parts = [Part(f"number:{each}", "1 die" if each == 1 else f"{each} dice", (str(each),)) for each in numbers]
    return Enumerated(numbers, lambda number: (f"number:{number}",), parts)


def _reroll(dice: Sequence[int]) -> Spelling:
    counts = {f"face:{face}": dice.count(face) for face in sorted(set(dice))}
    parts = [_face(int(each.partition(":")[2])) for each in counts]
    return AnyOf(parts, counts, lambda faces: [f"face:{face}" for face in faces], _faces)


def _faces(ids: Sequence[str]) -> tuple[int, ...]:
    return tuple(int(each.partition(":")[2]) for each in ids)


def _face(face: int) -> Part:
    if face == GANGSTER:
        return Part(f"face:{face}", "a gangster", ("g", "gangster"))
    return Part(f"face:{face}", f"a {face}", (str(face),))

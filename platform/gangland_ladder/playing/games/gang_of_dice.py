"""How people enter decisions in Gang of Dice: the number of dice to roll, or the faces to reroll."""

from collections.abc import Sequence
from typing import cast

from gangland.gang_of_dice.views import View
from gangland.gang_of_dice.warnings import GANGSTER
from gangland.view import View as AnyView
from gangland_ladder.playing.questions import AnyOf, Enumerated, Part, Spelling


def spelling(view: AnyView, kind: str) -> Spelling:
    """Return a question's `Spelling`: a part such as `number:4`, or one such as `face:1` for each die to reroll."""
    view = cast(View, view)
    if kind == "dice":
        numbers = range(1, view.pool + 1)
        parts = [
            Part(f"number:{number}", "1 die" if number == 1 else f"{number} dice", (str(number),)) for number in numbers
        ]
        return Enumerated(numbers, lambda number: (f"number:{number}",), parts)
    faces = sorted(set(view.dice))
    counts = {f"face:{face}": view.dice.count(face) for face in faces}
    return AnyOf(map(_face, faces), counts, lambda dice: [f"face:{face}" for face in dice], _faces)


def _faces(ids: Sequence[str]) -> tuple[int, ...]:
    return tuple(int(part.partition(":")[2]) for part in ids)


def _face(face: int) -> Part:
    if face == GANGSTER:
        return Part(f"face:{face}", "a gangster", ("g", "gangster"))
    return Part(f"face:{face}", f"a {face}", (str(face),))

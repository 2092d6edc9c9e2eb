"""Of what decisions of Gang of Dice are put together: a number of dice, or faces that show."""

from collections.abc import Sequence
from typing import cast

from gangland.gang_of_dice.views import View
from gangland.gang_of_dice.warnings import GANGSTER
from gangland.view import View as AnyView
from gangland_ladder.playing.questions import AnyOf, Enumerated, Part, Spelling


def spelling(view: AnyView, kind: str) -> Spelling:
    """Return how the legal decisions are put together: `number:4`, or `face:1` for each die that is rolled again."""
    shown = cast(View, view)
    if kind == "dice":
        numbers = range(1, shown.pool + 1)
        parts = [Part(f"number:{each}", "1 die" if each == 1 else f"{each} dice", (str(each),)) for each in numbers]
        return Enumerated(numbers, lambda number: (f"number:{number}",), parts)
    faces = sorted(set(shown.dice))
    counts = {f"face:{face}": shown.dice.count(face) for face in faces}
    return AnyOf(map(_face, faces), counts, lambda dice: [f"face:{face}" for face in dice], _faces)


def _faces(ids: Sequence[str]) -> tuple[int, ...]:
    return tuple(int(each.partition(":")[2]) for each in ids)


def _face(face: int) -> Part:
    if face == GANGSTER:
        return Part(f"face:{face}", "a gangster", ("g", "gangster"))
    return Part(f"face:{face}", f"a {face}", (str(face),))

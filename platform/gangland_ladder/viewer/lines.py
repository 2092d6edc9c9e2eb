"""Lines of a terminal that scenes of all games are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from gangland_ladder.viewer.scenes import Scene

_NAME: Final = 24


def seats(scene: Scene) -> Iterator[tuple[int, Scene]]:
    """Yield each seat and its part of a scene."""
    for number, seat in scene["seats"].items():
        yield int(number), seat


def seat_line(name: str, seat: int, each: Scene, what: str) -> Text:
    """Return who sits in a seat, what it has, and whether it is out or at fault."""
    name = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
    out = "  out" if each.get("state") == "out" else ""
    fault = ("  at fault" if each["fault"] else "", "red")
    return Text.assemble((f"{seat + 1} {name}", "bold"), f"  {what}{out}", fault)


def pairs(shown: Sequence[Sequence[str]], indent: str) -> Iterator[Text]:
    """Yield names and values, a line each."""
    for name, value in shown:
        yield Text(f"{indent}{name}: {value}")

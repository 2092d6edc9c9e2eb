"""The table of Gang of Dice as lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from gangland.gang_of_dice.warnings import GANGSTER
from gangland_ladder.viewer.lines import seat_line, seats
from gangland_ladder.viewer.scenes import Scene


def frame(scene: Scene, names: Sequence[str]) -> Iterator[Text]:
    """Yield a scene as lines."""
    card = scene["card"]
    colour = "bold yellow" if card["colour"] == "yellow" else "bold"
    yield Text.assemble((f"[{card['id']}] {card['colour']}: {card['words']}", colour))
    more = (("left", "left from before"), ("bonus", "bonus dice"))
    parts = [f"{scene[name]} {words}" for name, words in more if scene[name]]
    of_them = f" ({', '.join(parts)})" if parts else ""
    yield Text(f"Table: {scene['table']} dice{of_them}")
    for seat, each in seats(scene):
        yield seat_line(names[seat], seat, each, f"{each['dice']} dice")
        if each["roll"]:
            dice = " ".join("G" if face == GANGSTER else str(face) for face in reversed(each["roll"]))
            best = ", best" if scene["best"] == seat else ""
            yield Text.assemble("    ", (dice, "bold"), f"  = {each['total']}  ({each['state']}{best})")


def award(aside: Mapping[str, Any], names: Sequence[str]) -> Iterator[Text]:
    """Yield who won how many dice as the round ended."""
    if won := aside.get("award"):
        seat, dice = won
        yield Text(f"The round: {dice} dice {'stay on the table' if seat is None else f'for {names[seat]}'}")

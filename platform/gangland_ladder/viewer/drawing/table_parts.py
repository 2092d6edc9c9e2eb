"""Draw the parts of a table: seats, dice, piles, counts and badges, styled like `viewer.css`.

`u` is the scale of a seat, which is 1 at a table of three or four.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from gangland_ladder.common.texts import format_number
from gangland_ladder.viewer.drawing.canvas import Box, Canvas
from gangland_ladder.viewer.drawing.fonts import Face, width_of
from gangland_ladder.viewer.scenes import Scene

BRASS: Final = "sign-brass"
DIE_EDGE: Final = "#8d7b60"
_OVERHANG: Final = 8  # The distance by which dice may extend below their box, into the seat's margin.
_MIN_DIE_SIZE: Final = 8  # Dice of this size always fit.
_PILE_ROW: Final = 24
_PILE_ROWS: Final = 7
_BODIES: Final = {
    "white": ("coal", "ivory", DIE_EDGE),
    "red": ("#ffffff", "hot", "#cf9095"),
    "blue": ("#ffffff", "cold", "#90a5c8"),
}
"""The colors of the marks, body and edge of a die, by the color of the die."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A table to draw."""

    canvas: Canvas
    scene: Scene  # with all hands open
    aside: Mapping[str, Any]
    before: Scene | None  # the scene before the decision, or None to mark no changes
    names: Sequence[str]
    turn: int | None  # the seat that decided, or None if there is no decision
    places: Sequence[int]  # empty before the end
    held: Sequence[int]  # each seat's count of the game's unit in `scene`
    held_before: Sequence[int]  # the same in `before`
    more_is_better: bool  # of the game's unit
    rerolled: Sequence[int]  # the rerolled dice of the seat that decided


class Badge(NamedTuple):
    """A word for the state of a seat, with a color."""

    text: str
    color: str = "soft"


def draw_seat_box(drawing: Drawing, seat: int, box: Box, u: float, badges: Sequence[Badge], right: float = 0.0) -> Box:
    """Draw a seat with its name and badges; return the free box below them."""
    canvas, player = drawing.canvas, drawing.scene["seats"][str(seat)]
    turn = drawing.turn == seat
    if turn:
        canvas.box(Box(box.x - 4, box.y - 4, box.width + 8, box.height + 8), BRASS, radius=7)
    canvas.box(box, "sheet", radius=4)
    canvas.box(Box(box.x, box.y + 2, box.width, 4), f"seat{seat + 1}")
    fault = [Badge("fault", "blood")] if player["fault"] else []
    place = drawing.places[seat] if drawing.places else 0
    tied = "tied for " if drawing.places.count(place) > 1 else ""
    end = [Badge("won", "felt") if place == 1 and not fault else Badge(f"{tied}place {place}")] if place else []
    right = _badges(canvas, box.right - 10 * u - right, box.y + 9 * u, u, [*fault, *badges, *end])
    middle = box.y + 18 * u
    draw_chip(canvas, box.x + 19 * u, middle, 9 * u, seat)
    left = box.x + 34 * u
    width = right - left - 6 * u
    canvas.text(left, middle + 5.5 * u, drawing.names[seat], 16 * u, "ink", Face.BOLD, max_width=width, min_size=11)
    return Box(box.x + 10 * u, box.y + 32 * u, box.width - 20 * u, box.height - 38 * u)


def draw_chip(canvas: Canvas, x: float, y: float, radius: float, seat: int) -> None:
    """Draw a seat's number in a ring of its color."""
    canvas.circle(x, y, radius, "sheet", edge=f"seat{seat + 1}")
    canvas.text(x, y + radius * 0.42, str(seat + 1), radius * 1.2, f"seat{seat + 1}", Face.BOLD, anchor="middle")


def _badges(canvas: Canvas, right: float, top: float, u: float, badges: Sequence[Badge]) -> float:
    """Draw badges so that the last one ends at `right`; return the x at which another badge would end."""
    for badge in reversed(badges):
        width = width_of(badge.text, 12 * u) + 10 * u
        edge = "edge" if badge.color == "soft" else badge.color
        canvas.box(Box(right - width, top, width, 18 * u), "sheet", radius=2, edge=edge)
        canvas.text(right - width / 2, top + 13 * u, badge.text, 12 * u, badge.color, anchor="middle")
        right -= width + 5 * u
    return right


def draw_count(drawing: Drawing, seat: int, x: float, y: float, u: float, one: str, many: str) -> float:
    """Write a seat's count and how the decision changed it; return the right edge of the text."""
    canvas, now = drawing.canvas, drawing.held[seat]
    x += canvas.text(x, y, str(now), 22 * u, "ink", Face.SERIF) + 5 * u
    x += canvas.text(x, y, one if now == 1 else many, 14 * u, "ink")
    change = now - drawing.held_before[seat] if drawing.before is not None else 0
    if change:
        text = format_number(change, "+d")
        color = "felt" if (change > 0) is drawing.more_is_better else "blood"
        x += 6 * u + canvas.text(x + 6 * u, y, text, 14 * u, color, Face.BOLD)
    return x


def draw_pile(canvas: Canvas, box: Box, count: int, color: str) -> None:
    """Draw a number of dice, up to 168, as rows of 24 squares that are as large as the box allows."""
    rows = min(_PILE_ROWS, -(-count // _PILE_ROW))
    step = min(box.width / _PILE_ROW, box.height / max(1, rows))
    side = step * 0.68
    square = f"h{side:.1f}v{side:.1f}h{-side:.1f}Z"
    squares = "".join(
        f"M{box.x + index % _PILE_ROW * step:.1f} {box.y + index // _PILE_ROW * step:.1f}{square}"
        for index in range(min(count, _PILE_ROW * _PILE_ROWS))
    )
    if squares:
        canvas.path(squares, color)


def draw_die(canvas: Canvas, color: str, mark: str, x: float, y: float, size: float) -> None:
    """Draw one die; mark "" is blank."""
    marks, body, edge = _BODIES[color]
    symbols = [f"body-{color}", *([f"mark-{mark}"] if mark else [])]
    canvas.symbols(symbols, x, y, size, color=marks, fill=body, stroke=edge)


def draw_medal(canvas: Canvas, mark: str, x: float, y: float, size: float) -> None:
    """Draw a token's medal."""
    canvas.circle(x + size / 2, y + size / 2, size / 2, "#e2b662", edge="#7a5413")
    canvas.symbols([f"mark-{mark}"], x + size * 0.16, y + size * 0.16, size * 0.68, color="coal")


def draw_dice_rows(
    canvas: Canvas, box: Box, size: float, dice: Sequence[tuple[str, str, int]], are_new: Sequence[bool] = ()
) -> None:
    """Draw dice in rows, shrunk until they fit; a die with a count above 1 shows the count."""
    while (places := _dice_places(box, size, dice)) is None:
        size *= 0.92
    for index, ((color, mark, times), (x, y)) in enumerate(zip(dice, places, strict=True)):
        draw_die(canvas, color, mark, x, y, size)
        if are_new and are_new[index]:
            canvas.box(Box(x + size * 0.1, y + size * 1.03, size * 0.8, size * 0.09), "brass", radius=1)
        canvas.text(x + size * 1.05, y + size * 0.68, _times(times), size * 0.5, "ink", Face.BOLD)


def _dice_places(box: Box, size: float, dice: Sequence[tuple[str, str, int]]) -> list[tuple[float, float]] | None:
    places, x, y = [], box.x, box.y
    for _, _, times in dice:
        text = _times(times)
        die_width = size + (width_of(text, size * 0.5, Face.BOLD) + size * 0.14 if text else 0)
        if x + die_width > box.right + 0.5:
            x, y = box.x, y + size * 1.2
        if size > _MIN_DIE_SIZE and (x + die_width > box.right + 0.5 or y + size > box.bottom + _OVERHANG):
            return None
        places.append((x, y))
        x += die_width + size * 0.14
    return places


def _times(times: int) -> str:
    return f"×{times}" if times > 1 else ""


def draw_pairs(canvas: Canvas, box: Box, values: Sequence[Sequence[str]], size: float, color: str) -> None:
    """Write names and values as lines, as many as fit."""
    lines = int(box.height // (size * 1.3))
    for index, (name, value) in enumerate(values[:lines]):
        y = box.y + size * (1 + 1.3 * index)
        canvas.text(box.x, y, f"{name}: {value}", size, color, max_width=box.width)

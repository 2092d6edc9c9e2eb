"""Preview cards for links to pages of the site: places, names and dice."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from gangland_ladder.viewer.drawing.canvas import Box, Canvas, Scheme, png_of
from gangland_ladder.viewer.drawing.fonts import Face, width_of
from gangland_ladder.viewer.drawing.table_parts import BRASS, draw_die
from gangland_ladder.viewer.pictures import PREVIEW

_INK: Final = "table-ink"
_SOFT: Final = "#c3b8a4"
_MARGIN: Final = 76
_DICE: Final = ("gangster", "1", "2", "3", "4", "5")
_DICE_COUNT: Final = 5


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a card; a line with `is_first` is highlighted."""

    place: str
    name: str
    figure: str = ""
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """The texts of a card, cleaned for drawing."""

    eyebrow: str
    title: str
    rows: tuple[Row, ...] = ()
    foot: str = ""


def draw_card(card: Card) -> bytes:
    """Return a card as a PNG of the size `PREVIEW`.  Equal cards give equal files."""
    canvas = Canvas(*PREVIEW, Scheme.DARK)
    frame = Box(0, 0, *PREVIEW)
    canvas.box(frame, "sign")
    canvas.box(frame.inner(26), "table")
    canvas.box(Box(26, 26, PREVIEW.width - 52, 84), "sign")
    for inset, width in ((26, 2), (36, 1)):
        canvas.box(frame.inner(inset), "", edge=BRASS, edge_width=width)
    canvas.box(Box(38, 109.5, PREVIEW.width - 76, 1), BRASS)
    digest = sha256(card.title.encode()).digest()  # determines the faces and heights of the dice in the corner
    for index in range(_DICE_COUNT):
        x = PREVIEW.width - _MARGIN - 78 * (_DICE_COUNT - index)
        y = PREVIEW.height - 136 - digest[index + 16] % 18
        draw_die(canvas, "white", _DICE[digest[index] % len(_DICE)], x, y, 66)
    _draw_texts(canvas, card)
    return png_of(canvas, *PREVIEW)


def _draw_texts(canvas: Canvas, card: Card) -> None:
    right, width = PREVIEW.width - _MARGIN, PREVIEW.width - 2 * _MARGIN
    end = _MARGIN + canvas.text(_MARGIN, 86, "GANGLAND", 34, BRASS, Face.SERIF)
    canvas.text(right, 84, card.eyebrow, 26, _SOFT, max_width=right - end - 40, anchor="end")
    size = next((size for size in (72, 60, 50) if width_of(card.title, size, Face.SERIF) <= width), 44)
    canvas.text(_MARGIN, 196, card.title, size, _INK, Face.SERIF, max_width=width)
    for index, row in enumerate(card.rows):
        _draw_row(canvas, 276 + 62 * index, row)
    canvas.text(_MARGIN, PREVIEW.height - 66, card.foot, 26, _SOFT, max_width=width - 420)


def _draw_row(canvas: Canvas, y: int, row: Row) -> None:
    color = BRASS if row.is_first else _INK
    canvas.text(_MARGIN, y, row.place, 34, color, Face.SERIF)
    right = PREVIEW.width - _MARGIN - canvas.text(PREVIEW.width - _MARGIN, y, row.figure, 32, color, anchor="end")
    end = _MARGIN + 64 + canvas.text(_MARGIN + 64, y, row.name, 36, color, max_width=right - _MARGIN - 90)
    for dot in range(int(end) + 18, int(right) - 16, 14) if row.figure else ():
        canvas.circle(dot + 1, y - 3, 1, _SOFT)

"""Preview pictures: a lacquered card with the names, the places and a throw of dice."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from gangland_web.site.sharing.fonts import fitted, width_of, write

WIDTH: Final = 1200
HEIGHT: Final = 630
_TWICE: Final = 2
"""Drawn so much larger and then made smaller, for smooth edges."""

LACQUER: Final = "#17110e"
FELT: Final = "#12382a"
INK: Final = "#f6eede"
SOFT: Final = "#c3b8a4"
BRASS: Final = "#e2b15c"
BONE: Final = "#f3e9d8"
_DICE: Final = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a card: a place, a name, a figure behind it; `first` is lit."""

    place: str
    name: str
    figure: str = ""
    first: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """What a picture shows; every text is safe to be shown already."""

    eyebrow: str
    title: str
    rows: tuple[Row, ...] = ()
    foot: str = ""


def drawn(card: Card) -> bytes:
    """Return a card as a PNG of 1200 x 630 pixels; the same card gives the same picture."""
    image = Image.new("RGB", (WIDTH * _TWICE, HEIGHT * _TWICE), LACQUER)
    draw = ImageDraw.Draw(image)
    _table(draw)
    _dice(image, card)
    image = image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    _words(ImageDraw.Draw(image), card)
    out = BytesIO()
    image.quantize(128, method=Image.Quantize.MEDIANCUT).save(out, "PNG", optimize=True)
    return out.getvalue()


def _table(draw: ImageDraw.ImageDraw) -> None:
    """Draw the felt in its lacquered rim, with a double rule of brass."""
    k = _TWICE
    draw.rectangle((26 * k, 26 * k, (WIDTH - 26) * k, (HEIGHT - 26) * k), fill=FELT)
    draw.rectangle((26 * k, 26 * k, (WIDTH - 26) * k, 110 * k), fill=LACQUER)
    for inset, width in ((26, 4), (36, 2)):
        draw.rectangle(
            (inset * k, inset * k, (WIDTH - inset) * k, (HEIGHT - inset) * k), outline=BRASS, width=width * k // 2
        )
    draw.line((38 * k, 110 * k, (WIDTH - 38) * k, 110 * k), fill=BRASS, width=k)


def _words(draw: ImageDraw.ImageDraw, card: Card) -> None:
    x, most = 76, WIDTH - 152
    end = write(draw, (x, 86), "GANGLAND", 34, BRASS, serif=True)
    eyebrow = fitted(card.eyebrow, 26, WIDTH - 76 - end - 40)
    write(draw, (WIDTH - 76 - width_of(eyebrow, 26), 84), eyebrow, 26, SOFT)
    size = next((size for size in (72, 60, 50) if width_of(card.title, size, serif=True) <= most), 44)
    write(draw, (x, 196), fitted(card.title, size, most, serif=True), size, INK, serif=True)
    y = 276
    for row in card.rows:
        _row(draw, x, y, row)
        y += 62
    if card.foot:
        write(draw, (x, HEIGHT - 66), fitted(card.foot, 26, most - 420), 26, SOFT)


def _row(draw: ImageDraw.ImageDraw, x: int, y: int, row: Row) -> None:
    colour = BRASS if row.first else INK
    write(draw, (x, y), row.place, 34, colour, serif=True)
    figure_x = WIDTH - 76 - width_of(row.figure, 32)
    name = fitted(row.name, 36, figure_x - x - 90)
    end = write(draw, (x + 64, y), name, 36, colour)
    write(draw, (figure_x, y), row.figure, 32, colour)
    for dot in () if not row.figure else range(int(end) + 18, int(figure_x) - 16, 14):
        draw.ellipse((dot, y - 4, dot + 2, y - 2), fill=SOFT)


def _dice(image: Image.Image, card: Card) -> None:
    """Throw five dice in the corner: which faces and how they lie hangs on the card's title."""
    thrown = sha256(card.title.encode()).digest()
    for index in range(_DICE):
        size = 74 * _TWICE
        die = Image.new("RGBA", (size, size), (0, 0, 0, 0))
        _die(ImageDraw.Draw(die), size, thrown[index] % 6)
        turned = die.rotate(thrown[index + 8] % 41 - 20, expand=True, resample=Image.Resampling.BICUBIC)
        x = (WIDTH - 76 - 78 * (_DICE - index)) * _TWICE
        image.paste(turned, (x, (HEIGHT - 136 - thrown[index + 16] % 18) * _TWICE), turned)


_PIPS: Final = {
    1: ((0.5, 0.5),),
    2: ((0.28, 0.72), (0.72, 0.28)),
    3: ((0.27, 0.73), (0.5, 0.5), (0.73, 0.27)),
    4: ((0.28, 0.28), (0.72, 0.28), (0.28, 0.72), (0.72, 0.72)),
    5: ((0.27, 0.27), (0.73, 0.27), (0.5, 0.5), (0.27, 0.73), (0.73, 0.73)),
}


def _die(draw: ImageDraw.ImageDraw, size: int, face: int) -> None:
    """Draw a die: five numbers, and the gangster for 0."""
    rim = size * 0.06
    draw.rounded_rectangle((rim, rim, size - rim, size - rim), radius=size * 0.17, fill=BONE, outline=LACQUER, width=4)
    for x, y in _PIPS.get(face, ()):
        r = size * 0.085
        draw.ellipse((x * size - r, y * size - r, x * size + r, y * size + r), fill=LACQUER)
    if face == 0:
        draw.ellipse((0.14 * size, 0.40 * size, 0.86 * size, 0.52 * size), fill=LACQUER)
        draw.rounded_rectangle((0.31 * size, 0.2 * size, 0.69 * size, 0.46 * size), radius=size * 0.07, fill=LACQUER)
        draw.pieslice((0.33 * size, 0.36 * size, 0.67 * size, 0.86 * size), 0, 180, fill=LACQUER)

"""Fonts of this machine for pictures, and text in them: each character in the first font that has it.

Pillow brings one Latin font along, so that a picture comes out everywhere; DejaVu, Liberation, Noto and their like
are taken where they are installed.  A character that no font has is a frame.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

from PIL import ImageDraw, ImageFont

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
Colour = str

_SERIF: Final = ("DejaVuSerif-Bold.ttf", "NotoSerif-Bold.ttf", "LiberationSerif-Bold.ttf", "FreeSerifBold.ttf")
_SANS: Final = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf", "FreeSans.ttf")
_OTHERS: Final = (
    *("DejaVuSans-Bold.ttf", "DejaVuSans.ttf", "NotoSansCJK-Bold.ttc", "NotoSansCJK-Regular.ttc", "wqy-zenhei.ttc"),
    *("DroidSansFallbackFull.ttf", "unifont.ttf", "NotoSansArabic-Bold.ttf", "NotoSansHebrew-Bold.ttf"),
    *("NotoSansDevanagari-Bold.ttf", "NotoSansThai-Bold.ttf", "NotoEmoji-Regular.ttf", "FreeSans.ttf"),
)
_WANTED: Final = frozenset({*_SERIF, *_SANS, *_OTHERS})
_FOLDERS: Final = ("/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts")
_NO_CHARACTER: Final = "\U0010ffff"


@cache
def _installed() -> dict[str, Path]:
    """Return where the fonts lie that are wanted and installed."""
    found: dict[str, Path] = {}
    own = [Path(path).expanduser() for path in ("~/.fonts", "~/.local/share/fonts", "~/Library/Fonts")]
    for folder in [Path(sys.prefix) / "share" / "fonts", *map(Path, _FOLDERS), *own]:
        for place, _, names in os.walk(folder):
            for name in _WANTED.intersection(names):
                found.setdefault(name, Path(place) / name)
    return found


@lru_cache(maxsize=64)
def _fonts(serif: bool, size: int) -> tuple[Font, ...]:
    first = next((name for name in (_SERIF if serif else _SANS) if name in _installed()), None)
    names = [*([first] if first else []), *(name for name in _OTHERS if name in _installed())]
    fonts: list[Font] = [ImageFont.truetype(str(_installed()[name]), size) for name in names]
    return (*fonts, ImageFont.load_default(size))


@lru_cache(maxsize=4096)
def _has(font: Font, char: str) -> bool:
    """Tell whether a font has a character: it does not draw it as it draws what is none."""
    if char.isspace():
        return True
    drawn, none = font.getmask(char), font.getmask(_NO_CHARACTER)
    return (drawn.size, bytes(drawn)) != (none.size, bytes(none))


def _font_of(fonts: tuple[Font, ...], char: str) -> int:
    """Return the index of the first font that has a character, -1 if none has."""
    return next((index for index, font in enumerate(fonts) if _has(font, char)), -1)


def _runs(text: str, fonts: tuple[Font, ...]) -> Iterator[tuple[int, str]]:
    for index, chars in groupby(text, key=lambda char: _font_of(fonts, char)):
        yield index, "".join(chars)


def readable(text: str, otherwise: str) -> str:
    """Return the text if a reader can make something of how it is drawn here, else the other one."""
    fonts = _fonts(False, 20)
    chars = [char for char in text if not char.isspace()]
    drawn = sum(_font_of(fonts, char) >= 0 for char in chars)
    return text if chars and 2 * drawn >= len(chars) else otherwise


def width_of(text: str, size: int, *, serif: bool = False) -> float:
    """Return how wide a text is, in pixels."""
    fonts = _fonts(serif, size)
    return sum(_frames(run, size) if index < 0 else fonts[index].getlength(run) for index, run in _runs(text, fonts))


def fitted(text: str, size: int, most: float, *, serif: bool = False) -> str:
    """Return the text, or as much of its beginning as fits, with an ellipsis."""
    if width_of(text, size, serif=serif) <= most:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width_of(text[:middle].rstrip() + "…", size, serif=serif) <= most:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


def write(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: int, colour: Colour, *, serif: bool = False
) -> float:
    """Write a text with its baseline at a point; return where it ends."""
    fonts, (x, y) = _fonts(serif, size), at
    for index, run in _runs(text, fonts):
        if index < 0:
            for _ in run:
                box = (x + size * 0.08, y - size * 0.68, x + size * 0.54, y)
                draw.rectangle(box, outline=colour, width=max(1, size // 18))
                x += _frames("x", size)
        else:
            draw.text((x, y), run, fill=colour, font=fonts[index], anchor="ls")
            x += fonts[index].getlength(run)
    return x


def _frames(run: str, size: int) -> float:
    return 0.62 * size * len(run)

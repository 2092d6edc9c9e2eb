"""Fonts for rendered images, and functions that fit text to a width.

Three bundled fonts draw Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic letters the same way on all
machines.  Other characters are drawn with system fonts.  A character that no font has is drawn as U+FFFD.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from enum import StrEnum
from functools import cache, lru_cache
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gangland_sandbox.wire import clean

if TYPE_CHECKING:
    from PIL import ImageFont

_FOLDER: Final = Path(__file__).parent / "fonts"
_SYSTEM_FONTS: Final = (
    *("NotoSansCJK-Bold.ttc", "NotoSansCJK-Regular.ttc", "wqy-zenhei.ttc", "DroidSansFallbackFull.ttf"),
    *("NotoSansDevanagari-Bold.ttf", "NotoSansThai-Bold.ttf", "NotoEmoji-Regular.ttf", "unifont.ttf", "FreeSans.ttf"),
    "DejaVuSans.ttf",
)
_SYSTEM_FOLDERS: Final = ("/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts")
_NO_CHARACTER: Final = "\U0010ffff"
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_COMPARISON_SIZE: Final = 100
_MEASURING_SIZE: Final = 1000  # The font size for measuring; it is large because fonts round widths to whole pixels.
_MARKS_IN_A_ROW: Final = 2
_WIDTH_MARGIN: Final = 1.01  # A safety factor, because kerning and shaping change the measured width.


class Face(StrEnum):
    """A bundled font; the value is its file name."""

    SANS = "sans.ttf"
    BOLD = "bold.ttf"
    SERIF = "serif.ttf"

    @property
    def family(self) -> str:
        """The family name of the font."""
        return "DejaVu Serif" if self is Face.SERIF else "DejaVu Sans"

    @property
    def weight(self) -> int:
        """The weight of the font: 400 is regular, 700 is bold."""
        return 400 if self is Face.SANS else 700


def one_line(text: str, limit: int) -> str:
    """Return untrusted text as one line that can be drawn, truncated to `limit` characters of the input.

    Line breaks become spaces, and characters that no font has become U+FFFD. Invisible characters become escapes, so
    the line can be up to twice as long. Extra combining marks are dropped.
    """
    excerpt = text[: limit - 1] + "…" if len(text) > limit else text
    plain = " ".join(clean(excerpt).split())[: 2 * limit]
    chars: list[str] = []
    marks = 0
    for char in plain:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= _MARKS_IN_A_ROW:
            chars.append(char if char == " " or _file_of(char) is not None else _REPLACEMENT)
    return "".join(chars)


def readable(text: str, fallback: str) -> str:
    """Return a text from `one_line`, or `fallback` if the fonts lack more than half of its characters."""
    chars = [char for char in text if char != " "]
    return text if chars and 2 * chars.count(_REPLACEMENT) <= len(chars) else fallback


def width_of(text: str, size: float, face: Face = Face.SANS) -> float:
    """Return the width in pixels of a text that `one_line` returned."""
    return fsum(_width(char, face) for char in text) * size / _MEASURING_SIZE * _WIDTH_MARGIN


def fitted(text: str, size: float, width: float, face: Face = Face.SANS) -> str:
    """Return the text, shortened with an ellipsis if it exceeds the width."""
    if width_of(text, size, face) <= width:
        return text
    free_width, length = width - width_of("…", size, face), 0
    for char in text:
        free_width -= width_of(char, size, face)
        if free_width < 0:
            break
        length += 1
    return text[:length].rstrip() + "…"


def wrapped(text: str, size: float, width: float, lines: int, face: Face = Face.SANS) -> list[str]:
    """Return a text as at most `lines` lines of this width; an ellipsis replaces the rest."""
    words = text.split(" ")
    rows: list[str] = []
    while words and len(rows) < lines - 1:
        line = words.pop(0)
        while words and width_of(f"{line} {words[0]}", size, face) <= width:
            line = f"{line} {words.pop(0)}"
        rows.append(fitted(line, size, width, face))
    return [*rows, fitted(" ".join(words), size, width, face)] if words else rows


def files_for(text: str) -> list[str]:
    """Return the font files that a text needs: the bundled fonts, plus any system fonts."""
    files = {_file_of(char) for char in set(text)} - {None, *_bundled_fonts()}
    return [*_bundled_fonts(), *sorted(file for file in files if file is not None)]


@cache
def _bundled_fonts() -> tuple[str, ...]:
    return tuple(str(_FOLDER / face) for face in (Face.SANS, Face.BOLD, Face.SERIF))


@cache
def _installed_fonts() -> dict[str, str]:
    paths: dict[str, str] = {}
    personal = map(os.path.expanduser, ("~/.fonts", "~/.local/share/fonts", "~/Library/Fonts"))
    for root in (os.path.join(sys.prefix, "share", "fonts"), *_SYSTEM_FOLDERS, *personal):
        for folder, _, names in os.walk(root):
            for name in set(_SYSTEM_FONTS).intersection(names):
                paths.setdefault(name, str(Path(folder) / name))
    return paths


@lru_cache(maxsize=32)
def _font(file: str, size: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=16384)
def _has_glyph(file: str, char: str) -> bool:
    font = _font(file, _COMPARISON_SIZE)  # draws a missing character like a nonexistent one
    mask, missing = font.getmask(char), font.getmask(_NO_CHARACTER)
    return (mask.size, bytes(mask)) != (missing.size, bytes(missing))


@lru_cache(maxsize=16384)
def _file_of(char: str) -> str | None:
    if char.isspace():
        return _bundled_fonts()[0]
    files = (_bundled_fonts()[0], *(_installed_fonts()[name] for name in _SYSTEM_FONTS if name in _installed_fonts()))
    return next((file for file in files if _has_glyph(file, char)), None)


@lru_cache(maxsize=16384)
def _width(char: str, face: Face) -> float:
    if unicodedata.combining(char):
        return 0.0
    bundled = str(_FOLDER / face)
    file = bundled if char.isspace() or _has_glyph(bundled, char) else _file_of(char) or bundled
    return float(_font(file, _MEASURING_SIZE).getlength(char))

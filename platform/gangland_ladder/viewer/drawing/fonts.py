"""The fonts of pictures, and text that fits: three that are brought along, so that a text comes out alike everywhere.

They have Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic letters.  For other characters a font of the
machine is taken where one has them; what none has is drawn as U+FFFD.
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
_OTHERS: Final = (
    *("NotoSansCJK-Bold.ttc", "NotoSansCJK-Regular.ttc", "wqy-zenhei.ttc", "DroidSansFallbackFull.ttf"),
    *("NotoSansDevanagari-Bold.ttf", "NotoSansThai-Bold.ttf", "NotoEmoji-Regular.ttf", "unifont.ttf", "FreeSans.ttf"),
    "DejaVuSans.ttf",
)
_MACHINE: Final = ("/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts")
_NO_CHARACTER: Final = "\U0010ffff"
_NONE_HAS: Final = "\N{REPLACEMENT CHARACTER}"
_COMPARED: Final = 100
_MEASURED: Final = 1000
"""Fonts round widths to whole pixels: at this size that is nothing."""
_MARKS_IN_A_ROW: Final = 2
_WIDER: Final = 1.01
"""What is measured is not quite what is drawn, which kerns and shapes."""


class Face(StrEnum):
    """One of the fonts that are brought along; the value is its file."""

    SANS = "sans.ttf"
    BOLD = "bold.ttf"
    SERIF = "serif.ttf"

    @property
    def family(self) -> str:
        """What the font calls itself."""
        return "DejaVu Serif" if self is Face.SERIF else "DejaVu Sans"

    @property
    def weight(self) -> int:
        """400 is regular, 700 bold."""
        return 400 if self is Face.SANS else 700


def one_line(text: str, limit: int) -> str:
    """Return a stranger's text as one line that can be drawn, cut after so many characters.

    Line ends are spaces, what is not seen stands as its escape, accents are not piled up, and a character that no font
    has is U+FFFD.
    """
    cut = text[: limit - 1] + "…" if len(text) > limit else text
    plain = " ".join(clean(cut).split())[: 2 * limit]
    drawn: list[str] = []
    marks = 0
    for char in plain:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= _MARKS_IN_A_ROW:
            drawn.append(char if char == " " or _file_of(char) is not None else _NONE_HAS)
    return "".join(drawn)


def readable(text: str, otherwise: str) -> str:
    """Return a text of `one_line` if a reader can make something of how it is drawn here, else the other one."""
    chars = [char for char in text if char != " "]
    return text if chars and 2 * chars.count(_NONE_HAS) <= len(chars) else otherwise


def width_of(text: str, size: float, face: Face = Face.SANS) -> float:
    """Return how wide a text of `one_line` is, in pixels."""
    return fsum(_width(char, face) for char in text) * size / _MEASURED * _WIDER


def fitted(text: str, size: float, most: float, face: Face = Face.SANS) -> str:
    """Return the text, or as much of its beginning as fits, with an ellipsis."""
    if width_of(text, size, face) <= most:
        return text
    left, cut = most - width_of("…", size, face), 0
    for char in text:
        left -= width_of(char, size, face)
        if left < 0:
            break
        cut += 1
    return text[:cut].rstrip() + "…"


def wrapped(text: str, size: float, most: float, lines: int, face: Face = Face.SANS) -> list[str]:
    """Return a text in at most so many lines, broken between words; the last ends in an ellipsis if there is more."""
    words = text.split(" ")
    rows: list[str] = []
    while words and len(rows) < lines - 1:
        line = words.pop(0)
        while words and width_of(f"{line} {words[0]}", size, face) <= most:
            line = f"{line} {words.pop(0)}"
        rows.append(fitted(line, size, most, face))
    return [*rows, fitted(" ".join(words), size, most, face)] if words else rows


def files_for(text: str) -> list[str]:
    """Return the font files that a text needs: those that are brought along, and of the machine's what it lacks."""
    others = {_file_of(char) for char in set(text)} - {None, *_own()}
    return [*_own(), *sorted(each for each in others if each is not None)]


@cache
def _own() -> tuple[str, ...]:
    return tuple(str(_FOLDER / face) for face in (Face.SANS, Face.BOLD, Face.SERIF))


@cache
def _installed() -> dict[str, str]:
    wanted = frozenset(_OTHERS)
    paths: dict[str, str] = {}
    own = map(os.path.expanduser, ("~/.fonts", "~/.local/share/fonts", "~/Library/Fonts"))  # not all have a home
    for folder in (os.path.join(sys.prefix, "share", "fonts"), *_MACHINE, *own):
        for place, _, names in os.walk(folder):
            for name in wanted.intersection(names):
                paths.setdefault(name, str(Path(place) / name))
    return paths


@lru_cache(maxsize=32)
def _font(file: str, size: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=16384)
def _has(file: str, char: str) -> bool:
    """Return whether a font has a character: it does not draw it as it draws what is none."""
    font = _font(file, _COMPARED)
    drawn, none = font.getmask(char), font.getmask(_NO_CHARACTER)
    return (drawn.size, bytes(drawn)) != (none.size, bytes(none))


@lru_cache(maxsize=16384)
def _file_of(char: str) -> str | None:
    if char.isspace():
        return _own()[0]
    files = (_own()[0], *(_installed()[name] for name in _OTHERS if name in _installed()))
    return next((file for file in files if _has(file, char)), None)


@lru_cache(maxsize=16384)
def _width(char: str, face: Face) -> float:
    """Return how wide a character is at the size that is measured; a mark upon a letter has no width."""
    if unicodedata.combining(char):
        return 0.0
    own = str(_FOLDER / face)
    file = own if char.isspace() or _has(own, char) else _file_of(char) or own
    return float(_font(file, _MEASURED).getlength(char))

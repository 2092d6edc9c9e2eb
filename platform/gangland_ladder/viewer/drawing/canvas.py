"""Pictures that are drawn as SVG in the viewer's colours, and made into pixels."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from html import escape
from importlib.util import find_spec
from typing import Final, NamedTuple

from gangland_ladder.common.runtime import ExtraMissing
from gangland_ladder.viewer.assets import page_style, sprite, style
from gangland_ladder.viewer.drawing.fonts import Face, files_for, fitted, one_line, width_of

# The canvas. What a stranger wrote becomes text, one line of it and no more.


TEXT_CHARS: Final = 400
"""The most characters of a text that are drawn; no picture has room for more."""
_ROUNDING: Final = 0.01
"""A line that was shrunk to a width may be wider by what floats lose."""
_LEFT_TO_RIGHT: Final = "\u200e"
"""An invisible letter of that direction."""
_SYMBOL: Final = 24
"""What a symbol of `dice.svg` measures."""
_SYMBOL_OF: Final = re.compile(r'<symbol id="([\w-]+)" viewBox="0 0 24 24">(.*?)</symbol>')


class Box(NamedTuple):
    """A rectangle, from its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Where it ends on the right."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Where it ends below."""
        return self.y + self.height

    def inner(self, by: float) -> Box:
        """Return the rectangle that is smaller by so much on each side."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


class Canvas:
    """Shapes and texts of a picture, in the colours of a scheme.

    A colour is named as in the viewer's style sheets ("ink", "seat2"), or given as "#rrggbb".
    """

    def __init__(self, width: float, height: float, scheme: Scheme, names: Sequence[str] = ()) -> None:
        """Begin with nothing drawn.

        Args:
            names: those that texts may have in them, so that letters from right to left turn none of the words around
                them.
        """
        self.width = width
        self.height = height
        turned = sorted((name for name in (one_line(each, TEXT_CHARS) for each in names) if _runs_left(name)), key=len)
        self._names = re.compile("|".join(map(re.escape, reversed(turned)))) if turned else None
        self._colours = colours_of(scheme)
        self._parts: list[str] = []
        self._chars: set[str] = set()

    @property
    def fonts(self) -> list[str]:
        """The font files that its texts need."""
        return files_for("".join(self._chars))

    def colour(self, name: str) -> str:
        """Return a colour as "#rrggbb"."""
        return name if name.startswith("#") else self._colours[name]

    def box(
        self,
        box: Box,
        fill: str = "",
        *,
        radius: float = 0,
        edge: str = "",
        edge_width: float = 1,
        dashed: bool = False,
    ) -> None:
        """Draw a rectangle."""
        look = f'fill="{self.colour(fill) if fill else "none"}"'
        if edge:
            look += f' stroke="{self.colour(edge)}" stroke-width="{edge_width:g}"'
        look += ' stroke-dasharray="4 3"' if dashed else ""
        place = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
        self._parts.append(f'<rect {place} rx="{radius:g}" {look}/>')

    def circle(self, x: float, y: float, radius: float, fill: str = "", *, edge: str = "") -> None:
        """Draw a circle around a point."""
        stroke = f' stroke="{self.colour(edge)}" stroke-width="{radius / 5:.1f}"' if edge else ""
        inside = self.colour(fill) if fill else "none"
        self._parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{inside}"{stroke}/>')

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: str,
        face: Face = Face.SANS,
        *,
        most: float | None = None,
        least: float | None = None,
        anchor: str = "start",
    ) -> float:
        """Write a line with its baseline at a height, cut off where it is wider than `most`; return how wide it is.

        Args:
            least: the size to which letters may shrink before a line is cut off.
            anchor: which point of it lies at `x`: "start", "middle" or "end".
        """
        line = one_line(text, TEXT_CHARS)
        if most is not None and least is not None:
            size = max(least, min(size, size * most / max(1.0, width_of(line, size, face))))
        shown = line if most is None else fitted(line, size, most + _ROUNDING, face)
        if not shown.strip():
            return 0.0
        self._chars.update(shown)
        # Names from right to left end before what follows them.
        written = shown if self._names is None else self._names.sub(rf"\g<0>{_LEFT_TO_RIGHT}", shown)
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-family="{face.family}" font-weight="{face.weight}" '
            f'font-size="{size:.1f}" fill="{self.colour(colour)}" text-anchor="{anchor}">{escape(written)}</text>'
        )
        return width_of(shown, size, face)

    def symbols(self, names: Sequence[str], x: float, y: float, size: float, *, colour: str, **look: str) -> None:
        """Draw symbols of `dice.svg` one upon the other, in a square."""
        first = "".join(f' {name}="{self.colour(value)}"' for name, value in look.items())
        drawn = [f"<g{'' if index else first}>{_symbols()[name]}</g>" for index, name in enumerate(names)]
        place = f'transform="translate({x:.1f} {y:.1f}) scale({size / _SYMBOL:.4f})"'
        self._parts.append(f'<g color="{self.colour(colour)}" {place}>{"".join(drawn)}</g>')

    def path(self, drawn: str, fill: str) -> None:
        """Fill a path."""
        self._parts.append(f'<path d="{drawn}" fill="{self.colour(fill)}"/>')

    def svg(self) -> str:
        """Return what was drawn; it names nothing outside of itself."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}">'
            f"{''.join(self._parts)}</svg>"
        )


@cache
def _symbols() -> dict[str, str]:
    return dict(_SYMBOL_OF.findall(sprite()))


def _runs_left(text: str) -> bool:
    return any(unicodedata.bidirectional(char) in ("R", "AL") for char in text)


# Colours: those of the viewer's own style sheets, in either scheme.


_TOKEN: Final = re.compile(r"--([a-z][a-z0-9-]*): (?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}))")


class Scheme(StrEnum):
    """Whether a picture is light or dark."""

    LIGHT = "light"
    DARK = "dark"


@cache
def colours_of(scheme: Scheme) -> Mapping[str, str]:
    """Return the colours of a scheme by the name that they have in `page.css` and `viewer.css`."""
    tokens = _TOKEN.findall(page_style()) + _TOKEN.findall(style())
    return {name: both or (light if scheme is Scheme.LIGHT else dark) for name, light, dark, both in tokens}


# Pixels, by resvg, which fetches nothing and runs no script.


_NEEDED: Final = {"PIL": "pillow", "resvg_py": "resvg-py"}


def need_pictures() -> None:
    """Check that pictures can be drawn here.  Raises ExtraMissing: a package is not installed."""
    missing = [package for module, package in _NEEDED.items() if find_spec(module) is None]
    if missing:
        raise ExtraMissing(f"pictures need pip install 'gangland[pictures]' (not installed: {', '.join(missing)})")


def png_of(canvas: Canvas, width: int, height: int) -> bytes:
    """Return a drawing as a PNG of so many pixels."""
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=canvas.svg(), width=width, height=height, skip_system_fonts=True, font_files=canvas.fonts
        )
    )

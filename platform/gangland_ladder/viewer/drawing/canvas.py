"""Draw pictures as SVG in the viewer's colors, and render them as PNG."""

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

# The canvas. Untrusted text is drawn as one line of limited length.

TEXT_CHARS: Final = 400  # More characters than fit into any picture.
_ROUNDING: Final = 0.01  # A shrunk line may exceed its width by a rounding error.
_LEFT_TO_RIGHT: Final = "\N{LEFT-TO-RIGHT MARK}"
_SYMBOL: Final = 24  # The size of a symbol in `dice.svg`.
_SYMBOL_OF: Final = re.compile(r'<symbol id="([\w-]+)" viewBox="0 0 24 24">(.*?)</symbol>')


class Box(NamedTuple):
    """A rectangle; `x` and `y` are the coordinates of the upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    def inner(self, margin: float) -> Box:
        """Return the rectangle reduced by `margin` on each side."""
        return Box(self.x + margin, self.y + margin, self.width - 2 * margin, self.height - 2 * margin)


class Canvas:
    """A picture of shapes and texts; colors are names from the viewer's style sheets ("ink", "seat2") or "#rrggbb"."""

    def __init__(self, width: float, height: float, scheme: Scheme, names: Sequence[str] = ()) -> None:
        """Create an empty canvas.

        Where texts contain right-to-left `names`, a mark after the name keeps the direction of the next words.
        """
        self.width = width
        self.height = height
        lines = (one_line(name, TEXT_CHARS) for name in names)
        right_to_left = sorted(filter(_is_right_to_left, lines), key=len, reverse=True)
        self._names = re.compile("|".join(map(re.escape, right_to_left))) if right_to_left else None
        self._colors = colors_of(scheme)
        self._parts: list[str] = []
        self._chars: set[str] = set()

    @property
    def fonts(self) -> list[str]:
        """The font files that the texts need."""
        return files_for("".join(self._chars))

    def color(self, name: str) -> str:
        """Return a color as "#rrggbb"."""
        return name if name.startswith("#") else self._colors[name]

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
        look = f'fill="{self.color(fill) if fill else "none"}"'
        if edge:
            look += f' stroke="{self.color(edge)}" stroke-width="{edge_width:g}"'
        look += ' stroke-dasharray="4 3"' if dashed else ""
        place = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
        self._parts.append(f'<rect {place} rx="{radius:g}" {look}/>')

    def circle(self, x: float, y: float, radius: float, fill: str = "", *, edge: str = "") -> None:
        """Draw a circle around a point."""
        stroke = f' stroke="{self.color(edge)}" stroke-width="{radius / 5:.1f}"' if edge else ""
        fill_color = self.color(fill) if fill else "none"
        self._parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill_color}"{stroke}/>')

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        color: str,
        face: Face = Face.SANS,
        *,
        max_width: float | None = None,
        min_size: float | None = None,
        anchor: str = "start",
    ) -> float:
        """Write one line with its baseline at `y`, and return its width.

        A line longer than `max_width` is first shrunk, down to `min_size`, then truncated.  `anchor` is the point of
        the line at `x`: "start", "middle" or "end".
        """
        line = one_line(text, TEXT_CHARS)
        if max_width is not None and min_size is not None:
            size = max(min_size, min(size, size * max_width / max(1.0, width_of(line, size, face))))
        line = line if max_width is None else fitted(line, size, max_width + _ROUNDING, face)
        if not line.strip():
            return 0.0
        self._chars.update(line)
        # The mark ends a right-to-left name before the following words.
        directed_line = line if self._names is None else self._names.sub(rf"\g<0>{_LEFT_TO_RIGHT}", line)
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-family="{face.family}" font-weight="{face.weight}" '
            f'font-size="{size:.1f}" fill="{self.color(color)}" text-anchor="{anchor}">{escape(directed_line)}</text>'
        )
        return width_of(line, size, face)

    def symbols(self, names: Sequence[str], x: float, y: float, size: float, *, color: str, **look: str) -> None:
        """Draw stacked symbols of `dice.svg` in a square; `look` sets the first symbol's colors."""
        attributes = "".join(f' {name}="{self.color(value)}"' for name, value in look.items())
        groups = [f"<g{'' if index else attributes}>{_symbols()[name]}</g>" for index, name in enumerate(names)]
        place = f'transform="translate({x:.1f} {y:.1f}) scale({size / _SYMBOL:.4f})"'
        self._parts.append(f'<g color="{self.color(color)}" {place}>{"".join(groups)}</g>')

    def path(self, commands: str, fill: str) -> None:
        """Fill a path."""
        self._parts.append(f'<path d="{commands}" fill="{self.color(fill)}"/>')

    def svg(self) -> str:
        """Return the picture as SVG without external references."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}">'
            f"{''.join(self._parts)}</svg>"
        )


@cache
def _symbols() -> dict[str, str]:
    return dict(_SYMBOL_OF.findall(sprite()))


def _is_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(char) in ("R", "AL") for char in text)


# Colors, as in the viewer's style sheets.

_TOKEN: Final = re.compile(r"--([a-z][a-z0-9-]*): (?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}))")


class Scheme(StrEnum):
    """The color scheme of a picture."""

    LIGHT = "light"
    DARK = "dark"


@cache
def colors_of(scheme: Scheme) -> Mapping[str, str]:
    """Return the colors of a scheme by their names in `page.css` and `viewer.css`."""
    tokens = _TOKEN.findall(page_style()) + _TOKEN.findall(style())
    return {name: both or (light if scheme is Scheme.LIGHT else dark) for name, light, dark, both in tokens}


# Rendering to pixels with resvg, which fetches nothing and runs no scripts.

_PACKAGES: Final = {"PIL": "pillow", "resvg_py": "resvg-py"}


def require_image_packages() -> None:
    """Check that the packages for pictures are installed.  Raises ExtraMissing: a package is missing."""
    missing = [package for module, package in _PACKAGES.items() if find_spec(module) is None]
    if missing:
        raise ExtraMissing(
            f"images need extra packages: pip install 'gangland[pictures]' (not installed: {', '.join(missing)})"
        )


def png_of(canvas: Canvas, width: int, height: int) -> bytes:
    """Render the canvas as a PNG of this size in pixels."""
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=canvas.svg(), width=width, height=height, skip_system_fonts=True, font_files=canvas.fonts
        )
    )

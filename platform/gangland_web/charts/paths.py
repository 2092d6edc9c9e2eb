"""Lines and areas as SVG path data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

Point = tuple[float, float]
_WHOLE: Final = re.compile(r"\.0(?!\d)")
_ZERO: Final = re.compile(r"-0(?!\.)")
"""What `place` leaves out, for hundreds of points at once."""


def place(value: float) -> str:
    """Return a coordinate to a tenth of a unit, as short as it can be written."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def line(points: Sequence[Point]) -> str:
    """Return a line through points; nothing for none."""
    if not points:
        return ""
    text = "M" + "L".join([f"{x:.1f} {y:.1f}" for x, y in points])
    return _ZERO.sub("0", _WHOLE.sub("", text))


def steps(points: Sequence[Point]) -> str:
    """Return a line that keeps each height until the next point."""
    if not points:
        return ""
    (x, y), *rest = points
    return f"M{place(x)} {place(y)}" + "".join(f"H{place(x)}V{place(y)}" for x, y in rest)


def band(upper: Sequence[Point], lower: Iterable[Point]) -> str:
    """Return the area between two lines that run the same way."""
    if not upper:
        return ""
    return line([*upper, *reversed(list(lower))]) + "Z"

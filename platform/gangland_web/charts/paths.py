"""Lines and areas as SVG path data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Point = tuple[float, float]


def place(value: float) -> str:
    """Return a coordinate to a tenth of a unit, as short as it can be written."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def line(points: Sequence[Point]) -> str:
    """Return a line through points; nothing for none."""
    return "" if not points else "M" + "L".join(f"{place(x)} {place(y)}" for x, y in points)


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

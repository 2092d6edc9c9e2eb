"""The design's colours as static/site.css has them, and how well one is seen on another (WCAG 2.2: 1.4.3, 1.4.11)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import gangland_web

GROUNDS: Final = ("paper", "sheet", "sunk")
TEXT: Final = 4.5
"""The least contrast of words."""
LINES: Final = 3.0
"""The least contrast of what is drawn: borders of fields, lines of charts."""
USES: Final = {
    "ink": ("words", TEXT),
    "soft": ("words beside the matter", TEXT),
    "link": ("links", TEXT),
    "brass": ("rules, focus, eyebrows", TEXT),
    "blood": ("errors, refusals", TEXT),
    "felt": ("what went well", TEXT),
    "seat1": ("seat 1", TEXT),
    "seat2": ("seat 2", TEXT),
    "seat3": ("seat 3", TEXT),
    "seat4": ("seat 4", TEXT),
    "edge": ("borders of fields", LINES),
}
"""What each colour is for, and the contrast that it needs on every ground."""
_TOKEN: Final = re.compile(r"--(\w+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")


@dataclass(frozen=True, slots=True)
class Colour:
    """A token in light and in dark, with the least of its contrasts on the grounds; `needed` is what it must reach."""

    name: str
    use: str
    light: str
    dark: str
    on_light: float
    on_dark: float
    needed: float


@cache
def tokens() -> dict[str, tuple[str, str]]:
    """Return the colours by name, each in light and in dark as `#rrggbb`."""
    text = (Path(gangland_web.__file__).parent / "site" / "static" / "site.css").read_text(encoding="utf-8")
    return {name: (light, dark) for name, light, dark in _TOKEN.findall(text)}


def colours() -> list[Colour]:
    """Return the colours that stand on a ground, with their contrasts."""
    return [_colour(name, *use) for name, use in USES.items()]


def _colour(name: str, use: str, needed: float) -> Colour:
    light, dark = tokens()[name]
    least = [min(contrast(tokens()[name][theme], tokens()[ground][theme]) for ground in GROUNDS) for theme in (0, 1)]
    return Colour(name, use, light, dark, least[0], least[1], needed)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def linear(colour: str) -> tuple[float, float, float]:
    """Return the red, green and blue light of a colour `#rrggbb`, 0 to 1 each."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _light(red), _light(green), _light(blue)


def _light(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

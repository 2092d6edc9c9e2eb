"""The design: colors that are seen and told apart, in light and in dark, and no style that no page uses."""

import re
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

import gangland_web

SITE = Path(gangland_web.__file__).parent / "site"
CSS = (SITE / "static" / "site.css").read_text(encoding="utf-8")
TOKENS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--(\w+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", CSS)
}
GROUNDS = ("paper", "sheet", "sunk")
SEATS = [f"seat{seat}" for seat in range(1, 5)]
NEEDED = dict.fromkeys(("ink", "soft", "link", "brass", "blood", "felt", *SEATS), 4.5) | {"edge": 3.0}
"""The least contrast of a color on every ground: of words, and of the borders of fields (WCAG 2.2: 1.4.3, 1.4.11)."""
SIGHTS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""What people see who lack a kind of cones (Machado, Oliveira and Fernandes 2009, severity 1), in linear light."""
APART = 25  # the least distance in CIELAB; 10 is plain side by side


def linear(color: str) -> tuple[float, ...]:
    """Return the red, green and blue light of a color `#rrggbb`, 0 to 1 each."""
    values = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return tuple(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colors, 1 to 21."""
    weights = (0.2126, 0.7152, 0.0722)
    low, high = sorted(
        sum(part * weight for part, weight in zip(linear(color), weights, strict=True)) for color in (one, other)
    )
    return (high + 0.05) / (low + 0.05)


def lab(light: tuple[float, ...]) -> tuple[float, float, float]:
    """Convert linear sRGB to CIELAB (D65)."""
    red, green, blue = (min(1.0, max(0.0, value)) for value in light)
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.072175 * blue
    z = (0.0193339 * red + 0.119192 * green + 0.9503041 * blue) / 1.08883
    bent = [value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z)]
    return 116 * bent[1] - 16, 500 * (bent[0] - bent[1]), 200 * (bent[1] - bent[2])


def seen(color: str, sight: str) -> tuple[float, float, float]:
    light = linear(color)
    return lab(tuple(sum(part * value for part, value in zip(row, light, strict=True)) for row in SIGHTS[sight]))


@pytest.mark.parametrize("theme", [0, 1])
def test_every_color_is_seen_on_every_ground_by_the_contrast_of_the_standard(theme: int) -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)
    for name, needed in NEEDED.items():
        for ground in GROUNDS:
            assert contrast(TOKENS[name][theme], TOKENS[ground][theme]) >= needed, (name, ground)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", [0, 1])
def test_the_seats_are_told_apart_by_everybody(sight: str, theme: int) -> None:
    for one, other in combinations(SEATS, 2):
        apart = dist(seen(TOKENS[one][theme], sight), seen(TOKENS[other][theme], sight))
        assert apart >= APART, (one, other, apart)


MADE = re.compile(r"sure-\w+|(seat|place|on|dash|p|m)\d+")  # classes with composed names


def test_every_class_of_a_stylesheet_is_on_a_page() -> None:
    sources = [path.read_text(encoding="utf-8") for end in ("html", "py") for path in SITE.rglob(f"*.{end}")]
    sources += [path.read_text(encoding="utf-8") for path in (SITE / "static" / "js").glob("*.js")]
    sources += [path.read_text(encoding="utf-8") for path in SITE.parents[1].glob("gangland_*/**/*.py")]
    words = set(re.findall(r"[\w-]+", " ".join(sources)))
    for sheet in (SITE / "static").glob("*.css"):
        plain = re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
        selectors = re.findall(r"[^{};]+(?=\{)", plain)
        names = {name for one in selectors for name in re.findall(r"\.([a-z][\w-]*)", one)}
        assert {name for name in names - words if not MADE.fullmatch(name)} == set(), sheet.name

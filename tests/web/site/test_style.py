"""The design: colours that are seen and told apart, in light and in dark, and a page that shows every part."""

import re
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from tests.kits.pages_kit import Site

import gangland_web
from gangland_web.site.style import colours, contrast, linear, tokens

SEATS = [f"seat{seat}" for seat in range(1, 5)]
SIGHTS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""What people see who lack a kind of cones (Machado, Oliveira and Fernandes 2009, severity 1), in linear light."""
APART = 25
"""The least distance in CIELAB; 10 is plain to see side by side."""


def lab(light: tuple[float, ...]) -> tuple[float, float, float]:
    """A colour in CIELAB (D65) from linear sRGB."""
    red, green, blue = (min(1.0, max(0.0, value)) for value in light)
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.072175 * blue
    z = (0.0193339 * red + 0.119192 * green + 0.9503041 * blue) / 1.08883
    bent = [value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z)]
    return 116 * bent[1] - 16, 500 * (bent[0] - bent[1]), 200 * (bent[1] - bent[2])


def seen(colour: str, sight: str) -> tuple[float, float, float]:
    light = linear(colour)
    return lab(tuple(sum(part * value for part, value in zip(row, light, strict=True)) for row in SIGHTS[sight]))


def test_every_colour_is_seen_on_every_ground_in_light_and_dark_by_the_contrast_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)
    found = colours()
    assert {"ink", "link", "blood", *SEATS} <= {colour.name for colour in found}
    for colour in found:
        assert min(colour.on_light, colour.on_dark) >= colour.needed, colour


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", [0, 1])
def test_the_seats_are_told_apart_by_everybody(sight: str, theme: int) -> None:
    for one, other in combinations(SEATS, 2):
        apart = dist(seen(tokens()[one][theme], sight), seen(tokens()[other][theme], sight))
        assert apart >= APART, (one, other, apart)


def test_the_style_page_shows_every_part_chart_and_table_and_is_not_found_by_search_engines(site: Site) -> None:
    stranger = site.stranger()
    answer = stranger.get("/style")
    assert '<meta name="robots" content="noindex">' in answer.text
    assert 'href="/style"' not in stranger.page("/")
    css = (Path(gangland_web.__file__).parent / "site" / "static" / "site.css").read_text()
    parts = re.search(r"@layer parts \{(.*?)\n\}", css, re.DOTALL)
    assert parts
    made = set(re.findall(r"\.([a-z][a-z0-9-]*)[^{}]*\{", parts.group(1)))
    shown = {name for value in re.findall(r'class="([^"]*)"', answer.text) for name in value.split()}
    elsewhere = {"numbered", "line", "wide", "nowrap"}
    assert made - shown <= elsewhere
    for name in ("history", "columns", "places", "progress"):
        assert f'id="sample-{name}-summary"' in answer.text
    tables = [stranger.get(f"/style/{game}") for game in ("gangster-dice", "gang-of-dice")]
    for page in (answer, *tables):
        assert (page.status_code, page.headers["X-Robots-Tag"]) == (200, "noindex")
    for table in tables:
        assert 'class="viewer ' in table.text
        assert "Duke" in table.text or "Cutter" in table.text

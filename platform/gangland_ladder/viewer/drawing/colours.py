"""The colours of the viewer's own style sheets, in either scheme."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final

from gangland_ladder.viewer.assets import page_style, style

_TOKEN: Final = re.compile(r"--([a-z][a-z0-9-]*): (?:light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6}))")


class Scheme(StrEnum):
    """Whether a picture is light or dark."""

    LIGHT = "light"
    DARK = "dark"


@cache
def colours_of(scheme: Scheme) -> Mapping[str, str]:
    """Return the colours of a scheme by the name that they have in `page.css` and `viewer.css`."""
    found = _TOKEN.findall(page_style()) + _TOKEN.findall(style())
    return {name: both or (light if scheme is Scheme.LIGHT else dark) for name, light, dark, both in found}

"""The files that a viewer in a browser needs: modules, style and sprite."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

MAIN: Final = "viewer.js"
"""The module that begins everything; the others are imported from the same folder."""


@cache
def modules() -> dict[str, str]:
    """Return the modules of the script: their texts by file name."""
    folder = resources.files(__package__) / "js"
    return {each.name: each.read_text(encoding="utf-8") for each in folder.iterdir() if each.name.endswith(".js")}


@cache
def style() -> str:
    """Return the viewer's style: it hangs on the tokens of the site's own style."""
    return _text("viewer.css")


@cache
def sprite() -> str:
    """Return all symbols, an `<svg>` of `<symbol>`s."""
    return _text("dice.svg")


def _text(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8").strip()

"""A drawing made into pixels by resvg, which fetches nothing and runs no script."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from gangland_ladder.common.extra import ExtraMissing

if TYPE_CHECKING:
    from gangland_ladder.viewer.drawing.canvas import Canvas

_NEEDED: Final = {"PIL": "pillow", "resvg_py": "resvg-py"}


def need_pictures() -> None:
    """See that pictures can be drawn here.

    Raises:
        ExtraMissing: a package is not installed; the message says which, and how to install it.
    """
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

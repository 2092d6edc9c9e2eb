"""The words and formats that templates use."""

from __future__ import annotations

from functools import lru_cache

import segno
from flask import Flask
from markupsafe import Markup, escape

from gangland.words import listed
from gangland_ladder.common.plurals import counted
from gangland_ladder.errors import fault_title
from gangland_web.base.formats import GAME_TITLES, day, moment, number, seconds, signed, state_words, whole
from gangland_web.base.text import finalize, shown
from gangland_web.site.writing import init_writing


def init_formats(app: Flask) -> None:
    """Make the words known to the templates, and every printed string safe to see."""
    app.jinja_env.finalize = finalize
    init_writing(app.jinja_env)
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(
        moment=moment,
        day=day,
        seconds=seconds,
        signed=signed,
        number=number,
        whole=whole,
        counted=lambda count, what: counted(count, what, ","),
        shown=shown,
        listed=listed,
        state_words=state_words,
        fault_title=fault_title,
    )
    app.jinja_env.globals |= {"game_titles": GAME_TITLES, "qr_code": qr_code}


@lru_cache(maxsize=64)
def qr_code(address: str) -> Markup:
    """Return an address as a picture, black on white whatever the page's colors, with the border that readers need."""
    drawn = segno.make(address, error="m", micro=False).svg_inline(border=4, light="#fff", omitsize=True, svgclass="qr")
    named = f'<svg role="img" aria-label="QR code: {escape(address)}"'
    return Markup(drawn.replace("<svg", named, 1))  # noqa: S704  # drawn by segno; the label is escaped

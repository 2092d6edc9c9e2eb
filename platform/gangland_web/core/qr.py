"""QR codes for what is printed: an address that a phone or a tablet follows."""

from __future__ import annotations

from functools import lru_cache

import segno
from markupsafe import Markup, escape


@lru_cache(maxsize=64)
def qr_code(address: str) -> Markup:
    """Return an address as a picture, black on white whatever the page's colours, with the border that readers need."""
    drawn = segno.make(address, error="m", micro=False).svg_inline(border=4, light="#fff", omitsize=True, svgclass="qr")
    named = f'<svg role="img" aria-label="QR code: {escape(address)}"'
    return Markup(drawn.replace("<svg", named, 1))  # noqa: S704  # drawn by segno; the label is escaped

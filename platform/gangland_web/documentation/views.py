"""Serves the built documentation: files that hold no secret, the same for everybody."""

from __future__ import annotations

from flask import Blueprint, Response, abort, current_app, send_from_directory

from gangland_web.config import Settings

pages = Blueprint("documentation", __name__)

_NOT_BUILT = "The documentation is not built here: `make docs` builds it, and GANGLAND_DOCS may name its folder."
_FIRST = "index.html"


@pages.get("/docs/")
def front() -> Response:
    """Answer with the first page."""
    return page(_FIRST)


@pages.get("/docs/<path:path>")
def page(path: str) -> Response:
    """Answer with one file."""
    settings: Settings = current_app.extensions["gangland_settings"]
    if not (settings.docs / _FIRST).is_file():
        abort(404, _NOT_BUILT)
    return send_from_directory(settings.docs, path)

"""The schemas of all tables of pages that can be had as files."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify

from gangland_web.queries.documented import DOCUMENTED, PAGES
from gangland_web.queries.tables import document_schema

pages = Blueprint("schemas", __name__)


@pages.get("/schemas/<name>.1.json")
def schema(name: str) -> Response:
    """Return the JSON Schema of a page or of a table of one."""
    model = DOCUMENTED[name].model(name) if name in DOCUMENTED else PAGES.get(name)
    if model is None:
        abort(404, f"There is no schema of that name; there are {', '.join(sorted((*DOCUMENTED, *PAGES)))}.")
    return jsonify(document_schema(name, model))

"""Twins of pages and of their tables: JSON answers, tables as files, and the live parts of pages."""

from __future__ import annotations

from typing import Any

from flask import Response as FlaskResponse
from flask import jsonify, request
from werkzeug.wrappers import Response

from gangland_web.charts.sheets import Sheet
from gangland_web.exports.forms import MIMETYPES, Form


def twin(body: dict[str, Any]) -> Response:
    """Return a JSON answer with an ETag, or 304 to a caller who has it already."""
    answer = jsonify(body)
    answer.add_etag()
    return answer.make_conditional(request)


def part(markup: str) -> Response:
    """Return a live part of a page with an ETag, or 304 to a caller who has it already."""
    answer = FlaskResponse(markup)
    answer.add_etag()
    return answer.make_conditional(request)


def sheet_file(sheet: Sheet, form: Form, name: str) -> FlaskResponse:
    """Return a table of a page as a file, with an ETag, or 304 to a caller who has it already."""
    answer = FlaskResponse(b"".join(sheet.pieces(form)), mimetype=MIMETYPES[form])
    if form is Form.CSV:
        answer.headers["Content-Disposition"] = f'attachment; filename="gangland-{name}.{form}"'
    answer.add_etag()
    answer.make_conditional(request)
    return answer

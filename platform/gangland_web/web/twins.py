"""JSON twins of pages, and the live parts of pages."""

from __future__ import annotations

from typing import Any

from flask import Response as HtmlResponse
from flask import jsonify, request
from werkzeug.wrappers import Response


def twin(body: dict[str, Any]) -> Response:
    """Return a JSON answer with an ETag, or 304 to a caller who has it already."""
    answer = jsonify(body)
    answer.add_etag()
    return answer.make_conditional(request)


def part(markup: str) -> Response:
    """Return a live part of a page with an ETag, or 304 to a caller who has it already."""
    answer = HtmlResponse(markup)
    answer.add_etag()
    return answer.make_conditional(request)

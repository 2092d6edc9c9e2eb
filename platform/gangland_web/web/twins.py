"""JSON twins of pages."""

from __future__ import annotations

from typing import Any

from flask import jsonify, request
from werkzeug.wrappers import Response


def twin(body: dict[str, Any]) -> Response:
    """Return a JSON answer with an ETag, or 304 to a caller who has it already."""
    answer = jsonify(body)
    answer.add_etag()
    return answer.make_conditional(request)

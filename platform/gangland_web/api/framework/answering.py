"""Answers as they leave: each through its model, so that none can be other than the document says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Response, request
from werkzeug.wrappers import Response as AnyResponse

from gangland_web.api.framework.declared import Archive, Call, Lines, Stored
from gangland_web.queries.tables import serialize
from gangland_web.web.caching import attachment, conditional

PIECE_BYTES = 1 << 16
_ENCODER = msgspec.json.Encoder()


def respond(call: Call, answer: Any) -> AnyResponse:
    """Return what a call is answered with; 304 to whoever has it already."""
    if isinstance(answer, Archive):
        response: AnyResponse = answer.response
        return response
    if isinstance(answer, Lines):
        return attachment(_lines(answer, call.line), "application/x-ndjson", f"gangland-{answer.name}.ndjson")
    if isinstance(answer, Stored):
        return _marked(attachment(answer.text + "\n", "application/json", f"gangland-{answer.name}.json"))
    return _marked(document(serialize(answer, call.answer), call.status))


def document(body: Any, status: int) -> Response:
    """Return JSON values as an answer; where they have a `url`, a write's answer says so in `Location`."""
    response = Response(_ENCODER.encode(body) + b"\n", status=status, mimetype="application/json")
    if status in (201, 202):
        response.headers["Location"] = body["url"]
    return response


def _marked(response: Response) -> AnyResponse:
    return conditional(response) if request.method in ("GET", "HEAD") else response


def _lines(answer: Lines[Any], model: Any) -> Iterator[bytes]:
    piece = bytearray()
    for row in answer.rows:
        piece += _ENCODER.encode(serialize(row, model)) + b"\n"
        if len(piece) >= PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)

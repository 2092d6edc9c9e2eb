"""Errors as programs read them: problem+json (RFC 9457), each with a code of the error catalogue."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from flask import Response, current_app, request

from gangland_ladder.errors.catalogue import entries

MIMETYPE = "application/problem+json"
CODES = {400: "E309", 401: "E301", 404: "E310", 405: "E309", 413: "E308", 415: "E309", 422: "E309", 429: "E307"}
"""The code of an error that says nothing more than its status."""


class Problem(Exception):
    """A call that is answered with a problem.

    Attributes:
        more: members of the answer beside the standard ones.
        headers: of the answer.
    """

    def __init__(
        self,
        status: int,
        code: str | None,
        detail: str,
        *,
        more: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail
        self.more, self.headers = more or {}, headers or {}


def problem_document(status: int, code: str | None, detail: str, **more: Any) -> dict[str, Any]:
    """Return a problem as JSON values: type, title, status, detail, code, and what else there is."""
    if code is None:
        kind, title = "about:blank", HTTPStatus(status).phrase
    else:
        title = entries()[code].title
        kind = f"{request.script_root}/docs/errors.html#{anchor_of(f'{code}: {title}')}"
    return {"type": kind, "title": title, "status": status, "detail": detail, "code": code, **more}


def problem_response(status: int, code: str | None, detail: str, **more: Any) -> Response:
    """Return the answer with a problem."""
    return as_problem(problem_document(status, code, detail, **more))


def as_problem(document: Mapping[str, Any]) -> Response:
    """Return the answer with a problem that is a document already."""
    text = current_app.json.dumps(document)
    return Response(text + "\n", status=document["status"], mimetype=MIMETYPE)


def on_problem(problem: Problem) -> Response:
    """Answer a call that ended in a problem."""
    answer = problem_response(problem.status, problem.code, problem.detail, **problem.more)
    answer.headers.update(problem.headers)
    return answer


def anchor_of(title: str) -> str:
    """Return where a title stands on its page of the documentation, as GitHub and editors have it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")

"""Requests: their kinds, the settings of the application, and problems as answers to programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from io import BytesIO
from typing import IO, Any
from urllib.parse import urlsplit

import flask
from flask import Response, current_app, request

from gangland_ladder.errors import entries
from gangland_web.services.challenges import Allowance
from gangland_web.settings import Settings

# Kinds of requests.


class Request(flask.Request):
    """A request whose uploads stay in memory: they are capped, and a stranger's file does not touch a disk."""

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        return BytesIO()


def is_api(request: flask.Request) -> bool:
    """Return whether a program asks, with a token: no cookie is read or set then, and errors are problem+json."""
    return request.path.startswith("/api/")


_COOKIELESS = ("/embed/", "/oembed", "/viewer/", "/cards/", "/feeds/")


def is_for_all(request: flask.Request) -> bool:
    """Return whether the answer is the same for all: no cookie is read or set then, so caches may keep it."""
    return request.path.startswith(_COOKIELESS)


def is_framed(request: flask.Request) -> bool:
    """Return whether the answer may stand in other sites' frames."""
    return request.path.startswith("/embed/")


def wants_json() -> bool:
    """Return whether the address ends in .json, or the caller accepts JSON alone."""
    if request.path.endswith(".json") or request.path in ("/healthz", "/readyz"):
        return True
    best = request.accept_mimetypes.best_match(["text/html", "application/json"], default="text/html")
    return bool(best == "application/json")


def safe_next(target: str | None, default: str) -> str:
    """Return `target` if it is a path on this site, else `default`; never another site."""
    if not target or not target.startswith("/") or target.startswith("//") or "\\" in target:
        return default
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or not target.isprintable():
        return default
    return target


def begin_wait() -> None:
    """Let other requests of the same client be answered while this one waits, where the server can."""
    request.environ.get("gangland.begin_wait", int)()


# Settings of the application.


def settings() -> Settings:
    """Return the settings."""
    found: Settings = current_app.extensions["gangland_settings"]
    return found


def analyses_games() -> bool:
    """Return whether this site analyses games, and makes clips and hints."""
    return settings().analysis_workers > 0


def allowance() -> Allowance:
    """Return how many challenges a person may ask for."""
    found: Allowance = current_app.extensions["gangland_allowance"]
    return found


# Problems: errors as problem+json (RFC 9457), each with a code of the catalog.


MIMETYPE = "application/problem+json"
CODES = {400: "E309", 401: "E301", 404: "E310", 405: "E309", 413: "E308", 415: "E309", 422: "E309", 429: "E307"}
"""The code of an error that says nothing more than its status."""


class Problem(Exception):
    """A call that is answered with a problem.

    Attributes:
        more: members of the answer next to the standard ones.
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
    """Return the anchor of a title on its page of the documentation, as GitHub and editors have it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")

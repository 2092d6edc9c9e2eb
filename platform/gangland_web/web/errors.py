"""Errors as pages, and as JSON where that was asked for."""

from __future__ import annotations

from math import ceil
from typing import Any

from flask import Flask, Response, current_app, g, jsonify, make_response, render_template, request
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import HTTPException

from gangland.replay import ReplayError
from gangland_web.base.clock import now_s
from gangland_web.base.formats import seconds
from gangland_web.queries.visibility import NotVisible
from gangland_web.services.retention import NotRetained
from gangland_web.web.kept_forms import kept_page, sent_form
from gangland_web.web.limits import exceeded
from gangland_web.web.requests import CODES, is_api, problem_response, wants_json

_TEXTS = {
    400: ("Bad request", "The request is malformed.", "finger"),
    403: ("Not allowed", "You may not do that.", "finger"),
    404: ("Page not found", "There is no such page, or you may not see it.", "gangster"),
    405: ("Method not allowed", "This address does not accept that kind of request.", "finger"),
    410: ("No longer available", "This can no longer be shown.", "gavel"),
    413: ("Upload too large", "This upload is too large. A bot file may have 256 KiB at most, a zip 1 MiB.", "gavel"),
    415: ("Unsupported content", "This address does not accept that kind of content.", "gun"),
    421: ("Wrong address", "This site has another address.", "finger"),
    429: ("Too many requests", "Too many requests in a short time. Wait a little, then try again.", "cocktail"),
    500: ("Server error", "Something went wrong on the server. The error has been logged.", "gun"),
    503: ("Temporarily unavailable", "Part of the site is not answering. Try again soon.", "cocktail"),
}
"""The title, the usual words and the die on the page of an error."""


def problem(status: int, detail: str | None = None, **extra: Any) -> Response:
    """Return the answer for an error: a page, or JSON with the same words."""
    title, usual, face = _TEXTS.get(status, ("Something went wrong", "The request could not be answered.", "gun"))
    words = detail or usual
    if status >= 500:
        g.setdefault("visitor", None)  # a page about a failure must not ask the database who reads it
        g.asks_nothing = True
    if is_api(request):
        return problem_response(status, CODES.get(status), words)
    if wants_json():
        response = jsonify({"error": {"status": status, "title": title, "detail": words, **extra}})
    else:
        given = {"status": status, "title": title, "detail": words, "face": face, "now": now_s()}
        response = make_response(render_template("error.html", **given))
    response.status_code = status
    return response


def _on_http(error: HTTPException) -> Response:
    """Answer an HTTP error; a description given by our own code is kept, Werkzeug's is not."""
    status = error.code or 500
    own = error.description if error.description != type(error).description else None
    if status in (413, 429):
        own = None
    after: dict[str, str] = {}
    known = exceeded(current_app) if status == 429 else None
    if known is not None:
        rate, at = known
        wait_s = max(1.0, at - now_s())
        after = {"Retry-After": str(ceil(wait_s))}
        own = f"Too many requests in a short time: {rate} at most. Try again in {seconds(wait_s)}."
    response = problem(status, own)
    response.headers.update(after)
    for name, value in error.get_headers():
        if name.lower() in ("allow", "retry-after"):
            response.headers[name] = value
    return response


def _on_csrf(error: CSRFError) -> Response:
    form = None if is_api(request) else sent_form()
    if form is not None:
        return kept_page(form, "This form has expired.", 400)
    return problem(400, f"The form could not be trusted ({error.description} Reload the page and send it again).")


def _on_not_visible(error: NotVisible) -> Response:
    return problem(404, str(error) or None)


def _on_database(error: OperationalError) -> Response:
    """Answer for a database that does not: the log has the reason, the visitor is asked to try again."""
    current_app.logger.error("the database does not answer: %s", error.orig)
    return problem(503)


def _on_replay(error: ReplayError) -> Response:
    """Answer for a replay that is not kept any more, or is of rules that this version does not play any more."""
    if isinstance(error, NotRetained):
        return problem(410, str(error))
    current_app.logger.error("a stored replay cannot be played: %s", error)
    return problem(
        410, "This game was played with older rules that this site no longer knows. You can still download its file."
    )


def init_errors(app: Flask) -> None:
    """Let every error end as one of our pages."""
    app.register_error_handler(CSRFError, _on_csrf)
    app.register_error_handler(HTTPException, _on_http)
    app.register_error_handler(NotVisible, _on_not_visible)
    app.register_error_handler(OperationalError, _on_database)
    app.register_error_handler(ReplayError, _on_replay)

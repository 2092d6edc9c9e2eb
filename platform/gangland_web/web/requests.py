"""Helpers for requests: their kinds, the application's settings, problem responses, and preserved forms."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from typing import IO, Any, Final
from urllib.parse import urlsplit

import flask
from flask import Response, current_app, make_response, render_template, request, url_for

from gangland_ladder.errors import entries
from gangland_web.base.text import anchor_of
from gangland_web.broker.gate import encode_call
from gangland_web.broker.link import ask_for_page
from gangland_web.broker.names import QUEUE_RECORDS, TASK_TICK, TICK_DISPATCH
from gangland_web.services.accounts import UNSTORED_FIELDS
from gangland_web.services.challenges import Allowance
from gangland_web.settings import Settings

# Kinds of requests.


class Request(flask.Request):
    """A request whose uploads stay in memory, since untrusted files are not written to a disk."""

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        return BytesIO()


def is_api(request: flask.Request) -> bool:
    """Return whether a request is a call of the API; calls use no cookies and get errors as problem+json."""
    return request.path.startswith("/api/")


_COOKIELESS = ("/embed/", "/oembed", "/viewer/", "/cards/", "/feeds/")


def is_public(request: flask.Request) -> bool:
    """Return whether the response is public and has no cookies, so that caches may store it."""
    return request.path.startswith(_COOKIELESS)


def wants_json() -> bool:
    """Return whether the response should be JSON: by the path, or because the caller prefers JSON to HTML."""
    if request.path.endswith(".json") or request.path in ("/healthz", "/readyz"):
        return True
    best = request.accept_mimetypes.best_match(["text/html", "application/json"], default="text/html")
    return bool(best == "application/json")


def safe_next(target: str | None, default: str) -> str:
    """Return `target` if it is a path on this site, else `default`."""
    if not target or not target.startswith("/") or target.startswith("//") or "\\" in target:
        return default
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or not target.isprintable():
        return default
    return target


# Settings of the application.


def settings() -> Settings:
    """Return the settings."""
    app_settings: Settings = current_app.extensions["gangland_settings"]
    return app_settings


def analyzes_games() -> bool:
    """Return whether this site analyzes games, and makes clips and hints."""
    return settings().analysis_workers > 0


def dispatch_soon() -> None:
    """Have the record worker send waiting jobs now instead of a moment later."""
    call = encode_call(TASK_TICK, QUEUE_RECORDS, TICK_DISPATCH)
    ask_for_page(settings().redis_url, lambda client: client.lpush(QUEUE_RECORDS, call))


def allowance() -> Allowance:
    """Return how many challenges a user may request."""
    limits: Allowance = current_app.extensions["gangland_allowance"]
    return limits


# Problems: errors as problem+json (RFC 9457), each with a code of the catalog.

MIMETYPE = "application/problem+json"
# By status, for errors without their own code.
CODES = {400: "E309", 401: "E301", 404: "E310", 405: "E309", 413: "E308", 415: "E309", 422: "E309", 429: "E307"}


class Problem(Exception):
    """An error that ends a call with a problem document; `extra` has members in addition to the standard ones."""

    def __init__(
        self,
        status: int,
        code: str | None,
        detail: str,
        *,
        extra: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail
        self.extra, self.headers = extra or {}, headers or {}


def problem_document(status: int, code: str | None, detail: str, **extra: Any) -> dict[str, Any]:
    """Return a problem as JSON values."""
    if code is None:
        kind, title = "about:blank", HTTPStatus(status).phrase
    else:
        title = entries()[code].title
        kind = f"{request.script_root}/docs/errors.html#{anchor_of(f'{code}: {title}')}"
    return {"type": kind, "title": title, "status": status, "detail": detail, "code": code, **extra}


def problem_response(status: int, code: str | None, detail: str, **extra: Any) -> Response:
    """Return a problem as a response."""
    return document_response(problem_document(status, code, detail, **extra))


def document_response(document: Mapping[str, Any]) -> Response:
    """Return a problem document as a response."""
    text = current_app.json.dumps(document)
    return Response(text + "\n", status=document["status"], mimetype=MIMETYPE)


def on_problem(problem: Problem) -> Response:
    """Return the response for a `Problem` that a call raised."""
    response = problem_response(problem.status, problem.code, problem.detail, **problem.extra)
    response.headers.update(problem.headers)
    return response


# Forms that could not be processed: a page shows the typed values, so that they can be sent once more.

_UNKEPT_FIELDS: Final = UNSTORED_FIELDS | {"csrf_token", "kept"}


@dataclass(frozen=True, slots=True)
class KeptForm:
    """The values of a sent form, without passwords."""

    url: str  # the URL of the form
    sent: Sequence[tuple[str, str]]
    files: Sequence[str] = ()  # names of file fields; the user must select the files once more

    def to_text(self) -> str:
        """Return the form as the value of one field."""
        return json.dumps([self.url, self.sent, self.files], ensure_ascii=False)


def sent_form() -> KeptForm | None:
    """Return the form of this request, or None; a form from another site does not count.

    The page of a kept form has a valid token, so a form that another site has filled in must not be kept.
    """
    if request.method != "POST" or wants_json() or not _is_from_here():
        return None
    sent = [(name, value) for name, value in request.form.items(multi=True) if name not in _UNKEPT_FIELDS]
    files = [name for name, file in request.files.items(multi=True) if file.filename]
    return KeptForm(request.full_path.rstrip("?"), sent, files) if sent or files else None


def _is_from_here() -> bool:
    """Return whether a page of this site sent the request, according to the browser's headers."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    origin = urlsplit(request.headers.get("Origin", ""))
    return bool(origin.netloc) and origin.netloc == request.host


def read_kept_form(text: str) -> KeptForm | None:
    """Return the form from the value of a field, or None if it is invalid."""
    try:
        url, sent, files = json.loads(text)
        form = KeptForm(safe_next(url, ""), [(str(name), str(value)) for name, value in sent], [*map(str, files)])
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    return form if form.url else None


def kept_page(form: KeptForm, reason: str, status: int, *, needs_sign_in: bool = False) -> Response:
    """Return a page with the values of a form that was not processed, and the reason."""
    form_name, action = ("sign-in", url_for("accounts.sign_in")) if needs_sign_in else ("kept", form.url)
    values = {"form_name": form_name, "action": action, "kept": form, "why": reason, "form": {"errors": {}}}
    page = render_template("accounts/sign_in_forms.html", sent={}, **values)
    response = make_response(page, status)
    response.headers["Cache-Control"] = "no-store"
    return response

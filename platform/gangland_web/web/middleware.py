"""Middleware: log lines, health checks, maintenance, security headers and errors."""

import logging
import re
import secrets
import time
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from math import ceil
from typing import IO, Any, Final

from flask import Blueprint, Flask, Response, abort, current_app, g, jsonify, make_response, render_template, request
from flask_wtf.csrf import CSRFError
from sqlalchemy import text
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from structlog.contextvars import bind_contextvars, unbind_contextvars
from werkzeug.exceptions import HTTPException

from gangland.replay import ReplayError
from gangland_web.base.formats import now_s
from gangland_web.base.text import whole_number
from gangland_web.broker.link import ask_for_page
from gangland_web.metrics import ANSWERS, METHODS, REQUEST_TIME, REQUESTS, Counts
from gangland_web.models.database import can_write, migrations_folder, revisions
from gangland_web.models.site import maintenance
from gangland_web.queries.visibility import NotVisible, hidden_bot, may_see_hidden
from gangland_web.services.retention import ReplaysDeleted
from gangland_web.web import address, limits, requests
from gangland_web.web.sessions import current_user, database

# Access: each request gets an id and a log line, and is counted in the metrics.
#
# A request is described by its route. The query string and text segments of the path are not logged, because they may
# contain a token or a join code. Ids in a path are whole numbers and are logged, so that they can be searched for.

log = logging.getLogger("gangland_web.requests")

HEADER: Final = "X-Request-Id"
NOWHERE: Final = "nowhere"  # the route of a request for an unknown URL
_UNCOUNTED_BLUEPRINTS: Final = ("health", "metrics")  # for example, /readyz returns 503 on purpose
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")


def init_access(app: Flask) -> None:
    """Log and measure every request.  Call it before any code reads requests."""
    app.before_request(_begin)
    app.after_request(_end)
    app.teardown_request(_forget)


def _begin() -> None:
    g.began = time.monotonic()
    request_id = request.headers.get(HEADER, "")  # from a trusted proxy, to match its log with ours
    is_trusted = request.environ.get(address.FROM_PROXY) and _REQUEST_ID.fullmatch(request_id)
    g.request_id = request_id if is_trusted else secrets.token_hex(8)
    bind_contextvars(request=g.request_id, **_path_ids())


def _path_ids() -> dict[str, int]:
    arguments = request.view_args or {}
    return {name.removesuffix("_id"): value for name, value in arguments.items() if type(value) is int}


def _end(response: Response) -> Response:
    took_s = time.monotonic() - g.began
    route = request.url_rule.rule if request.url_rule is not None else NOWHERE
    method = request.method if request.method in METHODS else "other"
    counts: Counts = current_app.extensions["gangland_counts"]
    status = response.status_code
    counts.add(REQUESTS, method=method, route=route, status=str(status))
    if request.blueprint not in _UNCOUNTED_BLUEPRINTS and not g.get("refused_on_purpose", False):
        counts.add(ANSWERS, kind=f"{status // 100}xx")
    counts.observe(REQUEST_TIME, took_s, route=route)
    facts = {"method": method, "route": route, "status": status, "ms": round(took_s * 1e3, 1)}
    log.debug("answered", extra={"about": facts | {"bytes": response.calculate_content_length()}})
    response.headers[HEADER] = g.request_id
    return response


def _forget(_error: BaseException | None) -> None:
    unbind_contextvars("request", *_path_ids())


# Health: `/healthz` shows whether this process answers, `/readyz` whether the site can work.

pages = Blueprint("health", __name__)


@dataclass(frozen=True, slots=True)
class Readiness:
    """The site's dependencies, each `ok` or `down`; tables of another version are `old` or `newer`."""

    database: str
    tables: str
    broker: str
    writes: str  # to the database; `down` if its disk is full

    @property
    def ok(self) -> bool:
        """Whether all of them are `ok`."""
        return {self.database, self.tables, self.broker, self.writes} == {"ok"}


@pages.get("/healthz")
def healthz() -> Response:
    """Return 200 to show that this process answers."""
    return jsonify({"status": "ok"})


@pages.get("/readyz")
def readyz() -> tuple[Response, int]:
    """Return 200 if the database, its tables, writing and the broker work; else 503."""
    ready = check_readiness()
    status = "ok" if ready.ok else "down"
    body = {"status": status, "database": ready.database, "tables": ready.tables, "broker": ready.broker}
    body["writes"] = ready.writes
    return jsonify(body), 200 if ready.ok else 503


def check_readiness() -> Readiness:
    """Check the database, its tables, whether it can be written, and the broker."""
    revision = _revision()
    tables = "down" if revision is None else _tables(revision)
    writes = revision is not None and can_write(database())
    return Readiness(
        database="down" if revision is None else "ok",
        tables=tables,
        broker="ok" if ask_for_page(requests.settings().redis_url, lambda client: client.ping()) else "down",
        writes="ok" if writes else "down",
    )


def _tables(revision: str) -> str:
    newest, *older = known_revisions()
    if revision == newest:
        return "ok"
    return "old" if not revision or revision in older else "newer"


@cache
def known_revisions() -> tuple[str, ...]:
    """Return the database revisions that this version knows, the newest first."""
    known = tuple(revisions())
    if not known:
        raise FileNotFoundError(f"no migration in {migrations_folder()}")
    return known


def _revision() -> str | None:
    """Return the revision of the tables, "" if the database has no tables, or None if it does not answer."""
    try:
        with database().read() as db:
            db.connection().execute(text("SELECT 1"))
    except SQLAlchemyError as error:
        current_app.logger.error("not ready: the database does not answer: %s", type(error).__name__)
        return None
    try:
        with database().read() as db:
            revision = db.connection().execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    except SQLAlchemyError as error:
        current_app.logger.error("not ready: the database has no tables of this site: %s", type(error).__name__)
        return ""
    return "" if revision is None else str(revision)


# Maintenance: pages can be read, nothing is written, and every page shows a notice.

RETRY_S = 60
CHECK_INTERVAL_S = 1.0  # the time between two checks by this process
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_WRITES_BY_GET = frozenset({"oidc.callback"})  # endpoints that write on GET, because another site redirects to them
_READS_BY_POST = frozenset({"viewer.open_file"})  # endpoints that read a posted file without storing it


@dataclass(slots=True)
class MaintenanceCheck:
    """The latest check for maintenance by this process."""

    at: float = float("-inf")
    reason: str | None = None


def init_maintenance(app: Flask) -> None:
    """Reject write requests while the site is under maintenance; call it after the limits are set up."""
    app.extensions["gangland_maintenance_check"] = MaintenanceCheck()

    @app.before_request
    def refuse_writes() -> Response | None:
        reads = request.method in _READS and request.endpoint not in _WRITES_BY_GET
        if reads or request.endpoint in _READS_BY_POST:
            return None
        if request.endpoint is not None:
            request.get_data(parse_form_data=True)  # this can take a minute, and maintenance may begin meanwhile
        with database().read() as db:
            reason = maintenance(db)
        if reason is None:
            return None
        g.refused_on_purpose = True  # not an error that should raise an alert
        text = f"The site is under maintenance: {reason} Nothing was changed. You can still read pages."
        response = problem(503, text if reason.endswith((".", "!", "?")) else text.replace(reason, f"{reason}.", 1))
        response.headers["Retry-After"] = str(RETRY_S)
        return response


def init_hidden_bots(app: Flask) -> None:
    """Return 404 for every page of a hidden bot, except to users who may see it."""

    @app.before_request
    def hide() -> None:
        if request.method not in ("GET", "HEAD"):
            return
        arguments = request.view_args or {}
        ids = [whole_number(str(arguments[name])) or 0 for name in ("bot_id", "other_id") if name in arguments]
        if not ids:
            return
        with database().read() as db:
            bots = [bot for bot in (hidden_bot(db, number) for number in ids) if bot is not None]
        if bots and not all(may_see_hidden(current_user(), bot) for bot in bots):
            abort(404)


def maintenance_reason() -> str | None:
    """Return the reason for maintenance, or None; the result is the same throughout a request."""
    if "maintenance_reason" not in g:
        g.maintenance_reason = _known_reason()
    reason: str | None = g.maintenance_reason
    return reason


def _known_reason() -> str | None:
    check: MaintenanceCheck = current_app.extensions["gangland_maintenance_check"]
    if time.monotonic() - check.at >= CHECK_INTERVAL_S and not g.get("skip_database", False):
        try:
            with database().read() as db:
                check.reason = maintenance(db)
        except SQLAlchemyError:
            return check.reason  # the page reports elsewhere that the database does not answer
        check.at = time.monotonic()
    return check.reason


# Headers of every response, and the limit on request bodies.

# No inline script or style, nothing from third parties, no framing.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

# For pages that any site may show in a frame: they have no forms, and are the same for all visitors.
_FRAMED_HEADERS = {
    **{name: value for name, value in _HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").replace(
        "form-action 'self'", "form-action 'none'"
    ),
    "Cross-Origin-Resource-Policy": "cross-origin",
}

FORM_BYTES = 32 * 1024  # the limit for a form without an upload

# Endpoints whose forms can contain a file: multipart bodies have the application's limit, others the limit of a field.
UPLOAD_ENDPOINTS = frozenset(
    {"editor.upload_file", "api.upload", "api.new_version", "viewer.open_file", "editor.upload", "editor.save"}
)


def init_security(app: Flask) -> None:
    """Set the headers of every response, and refuse bodies over the limit before they are read."""

    @app.before_request
    def cap_body() -> None:
        limit = FORM_BYTES
        if request.endpoint in UPLOAD_ENDPOINTS:
            with_file = request.mimetype == "multipart/form-data"
            limit = app.config["MAX_CONTENT_LENGTH" if with_file else "MAX_FORM_MEMORY_SIZE"]
        request.max_content_length = limit
        if request.content_length is not None and request.content_length > limit:
            abort(413)
        if "HTTP_TRANSFER_ENCODING" in request.environ:
            request.environ["wsgi.input"] = BytesIO(_read_whole(request.environ["wsgi.input"], limit))

    @app.after_request
    def add_headers(response: Response) -> Response:
        is_framed = request.path.startswith("/embed/")  # other sites may show the response in a frame
        for name, value in (_FRAMED_HEADERS if is_framed else _HEADERS).items():
            response.headers.setdefault(name, value)
        if request.is_secure:
            response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        if requests.is_public(request):
            response.headers.setdefault("Cache-Control", "no-cache")
        elif request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "private, no-cache")
            response.vary.add("Authorization" if requests.is_api(request) else "Cookie")
        return response


def _read_whole(stream: IO[bytes], limit: int) -> bytes:
    """Return a chunked body, or abort with 413 if it exceeds the limit; a truncated body would look complete."""
    try:
        read = stream.read(limit + 1)
    except OSError:  # malformed or incomplete chunks, which are noticed only while reading
        abort(400)
    if len(read) > limit:
        abort(413)
    return read


# Errors: as pages, or as JSON for callers who request JSON.

# The title, the default text and the die on the page of an error.
_TEXTS = {
    400: ("Bad request", "The request is malformed.", "finger"),
    403: ("Not allowed", "You do not have permission to do that.", "finger"),
    404: ("Page not found", "There is nothing at this address, or it is private.", "gangster"),
    405: ("Method not allowed", "This URL does not accept that kind of request.", "finger"),
    410: ("No longer available", "This can no longer be shown.", "gavel"),
    413: ("Upload too large", "This upload is too large. A bot file may have at most 256 KiB, a zip 1 MiB.", "gavel"),
    415: ("Unsupported content", "This URL does not accept that kind of content.", "gun"),
    421: ("Wrong address", "This site has another address.", "finger"),
    429: ("Too many requests", "Too many requests in a short time. Wait a little, then try again.", "cocktail"),
    500: ("Server error", "Something went wrong on the server. The error has been logged.", "gun"),
    503: ("Temporarily unavailable", "Part of the site is not answering. Try again soon.", "cocktail"),
}


def problem(status: int, detail: str | None = None, **extra: Any) -> Response:
    """Return the response for an error: a page, or JSON with the same text."""
    title, default, face = _TEXTS.get(status, ("Something went wrong", "The request could not be answered.", "gun"))
    detail = detail or default
    if status >= 500:
        g.setdefault("visitor", None)  # an error page must not query the database for its visitor
        g.skip_database = True
    if requests.is_api(request):
        return requests.problem_response(status, requests.CODES.get(status), detail)
    if requests.wants_json():
        response = jsonify({"error": {"status": status, "title": title, "detail": detail, **extra}})
    else:
        values = {"status": status, "title": title, "detail": detail, "face": face, "now": now_s()}
        response = make_response(render_template("error.html", **values))
    response.status_code = status
    return response


def _on_http(error: HTTPException) -> Response:
    status = error.code or 500
    # A description from our own code is shown; Werkzeug's is not.
    own = error.description if status not in (413, 429) and error.description != type(error).description else None
    after: dict[str, str] = {}
    if status == 429 and (limit := limits.exceeded_limit(current_app, str(error.description))) is not None:
        own, wait_s = limit
        after = {"Retry-After": str(ceil(wait_s))}
    response = problem(status, own)
    response.headers.update(after)
    for name, value in error.get_headers():
        if name.lower() in ("allow", "retry-after"):
            response.headers[name] = value
    return response


def _on_csrf(error: CSRFError) -> Response:
    form = None if requests.is_api(request) else requests.sent_form()
    if form is not None:
        return requests.kept_page(form, "This form has expired.", 400)
    return problem(400, f"The form was refused: {error.description} Reload the page and send it again.")


def _on_database(error: OperationalError) -> Response:
    current_app.logger.error("the database does not answer: %s", error.orig)
    return problem(503)


def _on_replay(error: ReplayError) -> Response:
    """Return the error for a replay that is deleted, or whose rules this version no longer supports."""
    if isinstance(error, ReplaysDeleted):
        return problem(410, str(error))
    current_app.logger.error("a stored replay cannot be played: %s", error)
    return problem(
        410, "This game was played with older rules that this site no longer knows. You can still download its file."
    )


def init_errors(app: Flask) -> None:
    """Respond to every error with `problem`."""
    app.register_error_handler(CSRFError, _on_csrf)
    app.register_error_handler(HTTPException, _on_http)
    app.register_error_handler(NotVisible, lambda error: problem(404, str(error) or None))
    app.register_error_handler(OperationalError, _on_database)
    app.register_error_handler(ReplayError, _on_replay)

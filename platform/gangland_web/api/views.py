"""The calls of `/api/v1`."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request
from sqlmodel import Session, col, select
from werkzeug.wrappers import Response as Answer

from gangland.games import GAME_NAMES
from gangland_web.api.auth import bearer, needs
from gangland_web.api.documents import token_document, version_document
from gangland_web.api.idempotency import Call, fingerprint, key_of_request
from gangland_web.api.uploads import upload as take_in
from gangland_web.bots.forms import UploadForm, read_upload
from gangland_web.bots.models import Version
from gangland_web.bots.page_queries import VersionPage, version_page
from gangland_web.tokens.services import Scope
from gangland_web.web.limits import rate_headers
from gangland_web.web.problems import Problem, as_problem, on_problem
from gangland_web.web.sessions import database, reading
from gangland_web.web.twins import twin

pages = Blueprint("api", __name__, url_prefix="/api/v1")
pages.register_error_handler(Problem, on_problem)
pages.after_request(rate_headers)

FIELDS = ("game", "name")
CALLS: dict[str, tuple[str, Scope | None, bool]] = {
    "api.index": ("What calls there are.", None, False),
    "api.token": ("The token that you sent: its name, scopes and end.", None, True),
    "api.upload": ("Send in a bot: game, file, and name if it is not the file's.", Scope.UPLOAD, True),
    "api.version": ("A version: how far it has come and, to its owner, why.", Scope.READ, True),
}
"""What each call does, which scope it needs, and whether it needs a token."""


@pages.get("", strict_slashes=False)
def index() -> Answer:
    """List the calls."""
    return twin({"name": "Gangland", "version": "v1", "docs": "/docs/api.html", "calls": _calls()})


@pages.get("/token")
@needs(None)
def token() -> Response:
    """Tell of the token that was sent."""
    return jsonify(token_document(bearer()))


@pages.post("/bots")
@needs(Scope.UPLOAD)
def upload() -> Response:
    """Take in a bot, by the same rules as the upload page."""
    key = key_of_request()
    form = _form()
    said = (request.form.get(name, "").encode("utf-8", "replace") for name in FIELDS)
    sent = fingerprint(b"bots", *said, form.filename.encode("utf-8", "replace"), form.source)
    answer = take_in(database(), Call(bearer().owner_id, key, sent), form)
    if answer.status != 201:
        response = as_problem(answer.document)
    else:
        response = jsonify(answer.document)
        response.status_code = 201
        response.headers["Location"] = answer.document["url"]
    if answer.again:
        response.headers["Idempotent-Replayed"] = "true"
    return response


@pages.get("/versions/<number:version_id>")
@needs(Scope.READ)
def version(version_id: int) -> Answer:
    """Tell of a version; 304 when nothing has changed."""
    with reading() as db:
        page = _page(db, version_id)
        if page is None:
            raise Problem(404, "E310", f"There is no version {version_id}.")
        document = version_document(db, page, private=page.bot.owner_id == bearer().owner_id)
    return twin(document)


def _form() -> UploadForm:
    if request.mimetype != "multipart/form-data":
        raise Problem(415, "E309", f"Send multipart/form-data with {_fields()}.")
    file = request.files.get("file")
    unknown = sorted({*request.form, *request.files} - {*FIELDS, "file"})
    if unknown or file is None or not file.filename or "game" not in request.form:
        what = f"unknown: {unknown[0][:40]!r}" if unknown else "something of it is missing"
        raise Problem(400, "E309", f"The form has {_fields()}; {what}.")
    return read_upload({name: request.form.get(name, "") for name in FIELDS}, file)


def _fields() -> str:
    return f"game ({' or '.join(GAME_NAMES)}), a file with its name as `file`, and name if it is not the file's"


def _page(db: Session, version_id: int) -> VersionPage | None:
    found = db.exec(select(Version.bot_id, Version.number).where(col(Version.id) == version_id)).one_or_none()
    return None if found is None else version_page(db, *found)


def _calls() -> list[dict[str, Any]]:
    told = []
    for rule in current_app.url_map.iter_rules():
        if rule.endpoint in CALLS:
            what, scope, with_token = CALLS[rule.endpoint]
            (method,) = (rule.methods or set()) - {"HEAD", "OPTIONS"}
            path = rule.rule.replace("<number:version_id>", "{id}")
            told.append({"method": method, "path": path, "token": with_token, "scope": scope, "what": what})
    return sorted(told, key=lambda call: (call["path"], call["method"]))

"""Writing a bot in the browser: the editor with what it completes, and the reference beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from gangland_sandbox.intake import PLAIN
from gangland_web.core.formats import GAME_TITLES
from gangland_web.core.text import line_named
from gangland_web.http.cache import conditional
from gangland_web.http.sessions import sign_in_first
from gangland_web.league.versions.forms import UploadForm, read_upload
from gangland_web.site.editor.reference import completions, reference
from gangland_web.site.editor.starters import NAME, Starter, starters
from gangland_web.site.responses import form_page
from gangland_web.site.submitting import submitted

pages = Blueprint("editor", __name__)


@dataclass(frozen=True, slots=True)
class _Refused:
    """What a script is told of an upload that was refused: why, by field, and the line of the source that is meant."""

    errors: dict[str, str]
    line: int | None


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a script is told of an upload that was taken: the version's page, and where it says how far it has come."""

    page: str
    progress: str


@pages.get("/write/<game>")
def page(game: str) -> AnyResponse:
    """Show the editor with a bot to begin with."""
    _known(game)
    offered = starters(game)
    wanted = request.args.get("start")
    chosen = next((each for each in offered if each.name == wanted), offered[0] if offered else None)
    if wanted is not None and (chosen is None or chosen.name != wanted):
        abort(404, "There is no bot of that name to begin with.")
    text = chosen.text if chosen is not None else ""
    return _editor_page(UploadForm(game, NAME, pasted=text), chosen)


@pages.post("/write/<game>/upload")
@sign_in_first
def upload(game: str) -> AnyResponse:
    """Send in what is in the editor, as the upload page does: lead to its version, or say why it is refused.

    A script that asks for JSON is told where the version's progress is.
    """
    _known(game)
    form = read_upload({**request.form, "game": game}, None)
    version = submitted(form)
    is_script = request.accept_mimetypes.best == "application/json"
    if version is None:
        line = line_named(form.errors.get("source", ""))
        return _json(_Refused(form.errors, line), 422) if is_script else _editor_page(form, None)
    where: dict[str, Any] = {"bot_id": version.bot_id, "number": version.number}
    if is_script:
        return _json(_Taken(url_for("bots.version", **where), url_for("bots.version_json", **where)), 200)
    return redirect(url_for("bots.version", **where), 303)


def _editor_page(form: UploadForm, started: Starter | None) -> AnyResponse:
    """Return the page with a text, and what is wrong with it if it was sent in."""
    return form_page(
        "editor.html",
        form,
        game=form.game,
        started=started,
        starters=starters(form.game),
        parts=reference(form.game),
        source_bytes=PLAIN.source_bytes,
    )


def _json(body: _Refused | _Taken, status: int) -> Response:
    return Response(msgspec.json.encode(body), status, mimetype="application/json")


@pages.get("/write/<game>/completions.json")
def completed(game: str) -> AnyResponse:
    """Return what the editor completes, with the words of the docstrings."""
    _known(game)
    answer = Response(msgspec.json.encode(completions(game)), mimetype="application/json")
    answer.headers["Cache-Control"] = "no-cache"
    return conditional(answer)


def _known(game: str) -> None:
    """End in 404 for what is no game."""
    if game not in GAME_TITLES:
        abort(404, f"There is no game of that name; there are {' and '.join(GAME_TITLES)}.")

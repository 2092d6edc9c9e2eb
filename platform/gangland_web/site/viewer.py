"""The replay viewer: a game as markup, the viewer's files, and the page for a visitor's replay file."""

from functools import cache
from hashlib import sha256
from typing import Any, Final

from flask import Blueprint, Response, abort, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from gangland_ladder.viewer.assets import modules, sprite, style
from gangland_ladder.viewer.page import outcome_markup, story_markup, viewer_markup
from gangland_ladder.viewer.timeline import Timeline
from gangland_web.base.text import shown, whole_number
from gangland_web.queries.opened_replays import MAX_BYTES, InvalidReplay, open_replay
from gangland_web.web.caching import make_conditional

pages = Blueprint("viewer", __name__)

_CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
SPRITE: Final = "dice.svg"  # has all dice and symbols
_STYLE: Final = "viewer.css"
_MIMETYPES: Final = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def viewer_file(name: str) -> str:
    """Return the URL of one of the viewer's files."""
    return url_for("viewer.file", digest=_digest(), name=name)


def timeline_markup(timeline: Timeline, **options: Any) -> dict[str, Any]:
    """Return a template's values for a game: the timeline, the viewer, the outcome and the story."""
    viewer = viewer_markup(timeline, sprite=viewer_file(SPRITE), **options)
    return {
        "timeline": timeline,
        "viewer": viewer,
        "outcome": outcome_markup(timeline),
        "story": story_markup(timeline),
    }


@pages.get("/viewer/<digest>/<path:name>")
def file(digest: str, name: str) -> AnyResponse:
    """Send one of the viewer's files.  With the digest of another version, browsers revalidate it each time."""
    body = _files().get(name)
    if body is None:
        abort(404)
    response = Response(body, mimetype=_MIMETYPES[name.rpartition(".")[2]])
    response.headers["Cache-Control"] = _CACHE_FOREVER if digest == _digest() else "no-cache"
    return make_conditional(response)


@cache
def _files() -> dict[str, bytes]:
    texts = {**modules(), _STYLE: style(), SPRITE: sprite()}
    return {name: text.encode() for name, text in sorted(texts.items())}


@cache
def _digest() -> str:
    # The URL of each file contains a digest of all files, so browsers can cache files forever and never mix versions.
    digest = sha256()
    for name, body in _files().items():
        digest.update(f"{name}\0".encode() + sha256(body).digest())
    return digest.hexdigest()[:16]


@pages.route("/replays/open", methods=["GET", "POST"])
def open_file() -> str | tuple[str, int]:
    """Show the form to open a replay file, or the game in the uploaded file."""
    values: dict[str, Any] = {"timeline": None, "most": MAX_BYTES // 1024, "problem": "", "sent": request.form}
    if request.method == "GET":
        return render_template("viewer/opened.html", **values)
    upload, text = request.files.get("file"), request.form.get("number", "").strip() or "1"
    try:
        if (number := whole_number(text, digits=6)) is None:
            raise InvalidReplay(f"The replay's number must be a whole number from 1, not {shown(text, limit=20)!r}.")
        if upload is not None and upload.filename:
            game = open_replay(upload.stream.read(MAX_BYTES + 1), number)
        else:
            game = open_replay(request.form.get("text", "").encode("utf-8", "replace"), number)
    except InvalidReplay as refused:
        return render_template("viewer/opened.html", **values | {"problem": str(refused)}), 422
    return render_template("viewer/opened.html", opened=game, **timeline_markup(game.timeline))

"""Writing a bot in the browser: the editor with what it completes, and the reference beside it."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, abort, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from gangland_sandbox.intake import PLAIN
from gangland_web.core.formats import GAME_TITLES
from gangland_web.http.cache import conditional
from gangland_web.site.editor.reference import completions, reference
from gangland_web.site.editor.starters import NAME, starters

pages = Blueprint("editor", __name__)


@pages.get("/write/<game>")
def page(game: str) -> str:
    """Show the editor with a bot to begin with."""
    _known(game)
    offered = starters(game)
    wanted = request.args.get("start")
    chosen = next((each for each in offered if each.name == wanted), offered[0] if offered else None)
    if wanted is not None and (chosen is None or chosen.name != wanted):
        abort(404, "There is no bot of that name to begin with.")
    return render_template(
        "editor.html",
        game=game,
        name=NAME,
        text=chosen.text if chosen is not None else "",
        started=chosen,
        starters=offered,
        parts=reference(game),
        source_bytes=PLAIN.source_bytes,
    )


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

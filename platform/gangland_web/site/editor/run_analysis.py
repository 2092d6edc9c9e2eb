"""Asking for the analysis of a game of a draft's run, and where it stands: for its author alone."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from gangland_web.http.configured import settings
from gangland_web.http.sessions import database, reading
from gangland_web.league.analyses.asking import WhyNotAnalysed
from gangland_web.league.analyses.subjects import ask_for_run_game, recorded_run_game
from gangland_web.resources.analysis.games import analysis_of_run_game
from gangland_web.site.editor.run_views import own_run

pages = Blueprint("run_analysis", __name__, url_prefix="/write/<game>/runs/<number:run_id>/games/<number:number>")


@pages.post("/analysis")
def ask(game: str, run_id: int, number: int) -> AnyResponse:
    """Have the game analysed; nothing happens if it is already."""
    if settings().analysis_workers < 1:
        abort(503, WhyNotAnalysed.OFF.value)
    with database().write() as db:
        own = own_run(db, game, run_id)
        if recorded_run_game(own, number) is None:
            abort(404, "This run has no such game.")
        why = ask_for_run_game(db, own, number)
    if why is not None:
        abort(503 if why is WhyNotAnalysed.FULL else 422, why.value)
    if request.accept_mimetypes.best == "application/json":
        return standing(game, run_id, number)
    return redirect(url_for("runs.played", game=game, run_id=run_id, number=number), 303)


@pages.get("/analysis.json")
def standing(game: str, run_id: int, number: int) -> Response:
    """Say where the analysis stands."""
    with reading() as db:
        own = own_run(db, game, run_id)
        if recorded_run_game(own, number) is None:
            abort(404, "This run has no such game.")
        found, _ = analysis_of_run_game(db, own, number, is_on=settings().analysis_workers > 0)
    answer = Response(msgspec.json.encode(found), mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer

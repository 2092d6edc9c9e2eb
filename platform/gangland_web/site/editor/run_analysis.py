"""Asking for the analysis of a game of a draft's run, and where it stands: for its author alone."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from gangland_web.models.jobs import DraftRun
from gangland_web.queries.analyses import analysis_of_run_game
from gangland_web.services.analyses import ask_for_run_game, recorded_run_game
from gangland_web.site.analyses import analyses_games, have_analysed, standing_of
from gangland_web.site.editor.run_views import own_run
from gangland_web.web.sessions import reading

pages = Blueprint("run_analysis", __name__, url_prefix="/write/<game>/runs/<number:run_id>/games/<number:number>")


@pages.post("/analysis")
def ask(game: str, run_id: int, number: int) -> AnyResponse:
    """Have the game analysed; nothing happens if it is already."""
    at: dict[str, Any] = {"game": game, "run_id": run_id, "number": number}
    page = url_for("runs.played", **at)
    return have_analysed(lambda db: ask_for_run_game(db, _played(db, **at), number), lambda: standing(**at), page)


@pages.get("/analysis.json")
def standing(game: str, run_id: int, number: int) -> Response:
    """Say where the analysis stands."""
    with reading() as db:
        own = _played(db, game, run_id, number)
        found, _ = analysis_of_run_game(db, own, number, is_on=analyses_games())
    return standing_of(found)


def _played(db: Session, game: str, run_id: int, number: int) -> DraftRun:
    own = own_run(db, game, run_id)
    if recorded_run_game(own, number) is None:
        abort(404, "This run has no such game.")
    return own

"""Asking for the analysis of a game, and where it stands."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, abort, redirect, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from gangland_web.http.cache import conditional
from gangland_web.http.configured import settings
from gangland_web.http.sessions import database, reading
from gangland_web.league.analyses.asking import WhyNotAnalysed
from gangland_web.league.analyses.asking import ask as ask_for
from gangland_web.resources.analysis.games import AnalysisStanding, analysis_of
from gangland_web.resources.matches.queries import MatchPage
from gangland_web.site.requested import requested_game
from gangland_web.store.columns import stored
from gangland_web.store.lifecycles.analyses import RequestedBy
from gangland_web.store.models.matches import PlayedGame

pages = Blueprint("analysis", __name__, url_prefix="/matches/<number:match_id>/games/<number:block>/<number:rotation>")


@pages.post("/analysis")
def ask(match_id: int, block: int, rotation: int) -> AnyResponse:
    """Have a game analysed: the page's script asks once the page is visible, and its button does without a script.

    A GET asks for nothing, so no robot that follows links fills the queue.
    """
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403, "another site may not ask for an analysis")
    page, played = requested_game(match_id, block, rotation)
    if settings().analysis_workers < 1:
        abort(503, WhyNotAnalysed.OFF.value)
    with database().write() as db:
        why = ask_for(db, page.match, page.tournament, stored(played.id), RequestedBy.OPENED)
    if why is not None:
        abort(503 if why is WhyNotAnalysed.FULL else 422, why.value)
    if request.accept_mimetypes.best == "application/json":
        return _answered(page, played)
    return redirect(url_for("matches.game", match_id=match_id, block=block, rotation=rotation), 303)


@pages.get("/analysis.json")
def standing(match_id: int, block: int, rotation: int) -> AnyResponse:
    """Say where the analysis of a game stands."""
    return _answered(*requested_game(match_id, block, rotation))


def _answered(page: MatchPage, played: PlayedGame) -> Response:
    with reading() as db:
        found = _standing(db, page, played)
    answer = Response(msgspec.json.encode(found), mimetype="application/json")
    answer.headers["Cache-Control"] = "no-cache"
    return conditional(answer)


def _standing(db: Session, page: MatchPage, played: PlayedGame) -> AnalysisStanding:
    found, _ = analysis_of(db, page, played, is_on=settings().analysis_workers > 0)
    return found

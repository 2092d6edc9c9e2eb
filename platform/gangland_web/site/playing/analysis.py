"""Asking for the analysis of a game at a table that is over, and where it stands: for its person alone until shared."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, abort, redirect, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from gangland_web.http.configured import settings
from gangland_web.http.sessions import database, reading
from gangland_web.league.analyses.asking import WhyNotAnalysed
from gangland_web.league.analyses.subjects import ask_for_table
from gangland_web.resources.analysis.games import analysis_of_table
from gangland_web.site.playing.access import visible_table
from gangland_web.store.lifecycles.play_tables import TableState
from gangland_web.store.models.play_tables import PlayTable

pages = Blueprint("table_analysis", __name__, url_prefix="/play/<token>")


@pages.post("/analysis")
def ask(token: str) -> AnyResponse:
    """Have the game analysed: the page's script asks once the page is visible, and its button does without a script."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403, "another site may not ask for an analysis")
    if settings().analysis_workers < 1:
        abort(503, WhyNotAnalysed.OFF.value)
    with database().write() as db:
        why = ask_for_table(db, _over(db, token))
    if why is not None:
        abort(503 if why is WhyNotAnalysed.FULL else 422, why.value)
    if request.accept_mimetypes.best == "application/json":
        return standing(token)
    return redirect(url_for("play.table", token=token), 303)


@pages.get("/analysis.json")
def standing(token: str) -> Response:
    """Say where the analysis stands."""
    with reading() as db:
        found, _ = analysis_of_table(db, _over(db, token), is_on=settings().analysis_workers > 0)
    answer = Response(msgspec.json.encode(found), mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _over(db: Session, token: str) -> PlayTable:
    found = visible_table(db, token, shared=True)
    if found.state != TableState.OVER:
        abort(404, "This game is not over.")
    return found

"""Asking for the analysis of a game at a table that is over, and where it stands: for its person alone until shared."""

from __future__ import annotations

from flask import Blueprint, Response, abort, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from gangland_web.models.jobs import PlayTable, TableState
from gangland_web.queries.analyses import analysis_of_table
from gangland_web.services.analyses import ask_for_table
from gangland_web.site.analyses import analyses_games, have_analysed, refuse_other_sites, standing_of
from gangland_web.site.play import visible_table
from gangland_web.web.sessions import reading

pages = Blueprint("table_analysis", __name__, url_prefix="/play/<token>")


@pages.post("/analysis")
def ask(token: str) -> AnyResponse:
    """Have the game analysed: the page's script asks once the page is visible, and its button does without a script."""
    refuse_other_sites()
    page = url_for("play.table", token=token)
    return have_analysed(lambda db: ask_for_table(db, _over(db, token)), lambda: standing(token), page)


@pages.get("/analysis.json")
def standing(token: str) -> Response:
    """Say where the analysis stands."""
    with reading() as db:
        found, _ = analysis_of_table(db, _over(db, token), is_on=analyses_games())
    return standing_of(found)


def _over(db: Session, token: str) -> PlayTable:
    found = visible_table(db, token, shared=True)
    if found.state != TableState.OVER:
        abort(404, "This game is not over.")
    return found

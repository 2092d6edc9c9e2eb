"""Asking for the analysis of a game, whoever's it is, and saying where it stands."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from flask import Response, abort, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from gangland_web.queries.analyses import AnalysisStanding
from gangland_web.services.analyses import WhyNotAnalyzed
from gangland_web.web.requests import settings
from gangland_web.web.sessions import database


def analyses_games() -> bool:
    """Whether this site analyses games."""
    return settings().analysis_workers > 0


def refuse_other_sites() -> None:
    """End in 403 where a page of another site asks; that is for pages without a session, whose forms have no token."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403, "another site may not ask for an analysis")


def have_analysed(
    ask: Callable[[Session], WhyNotAnalyzed | None], standing: Callable[[], AnyResponse], game_page: str
) -> AnyResponse:
    """Have a game analysed: a page's script is answered where that stands, a form with the way back to the game.

    A GET asks for nothing, so no robot that follows links fills the queue.
    """
    if not analyses_games():
        abort(503, WhyNotAnalyzed.OFF.value)
    with database().write() as db:
        why = ask(db)
    if why is not None:
        abort(503 if why is WhyNotAnalyzed.FULL else 422, why.value)
    return standing() if request.accept_mimetypes.best == "application/json" else redirect(game_page, 303)


def standing_of(found: AnalysisStanding, *, cache: str = "no-store") -> Response:
    """Return where an analysis stands, as JSON."""
    answer = Response(msgspec.json.encode(found), mimetype="application/json")
    answer.headers["Cache-Control"] = cache
    return answer

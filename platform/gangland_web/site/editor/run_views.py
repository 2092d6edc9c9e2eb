"""Pages of what a draft's run came to: its check, and the games that it played, for its author alone."""

from __future__ import annotations

from flask import Blueprint, abort, make_response, render_template
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.models.jobs import DraftRun
from gangland_web.queries.analyses import analysis_of_run_game
from gangland_web.queries.draft_runs import RunPage, run_costs, run_film, run_page
from gangland_web.services.draft_runs import run_for
from gangland_web.site.responses import part
from gangland_web.site.viewer import film_markup
from gangland_web.web.requests import settings
from gangland_web.web.sessions import reading, visitor

pages = Blueprint("runs", __name__, url_prefix="/write/<game>/runs/<number:run_id>")


@pages.get("")
def run(game: str, run_id: int) -> Response:
    """Show how far a run has come, and what came of it."""
    return _private(render_template("run.html", game=game, page=_page(game, run_id)))


@pages.get("/live")
def live(game: str, run_id: int) -> Response:
    """Answer with what changes of that page; the editor shows it beside the code."""
    return part(render_template("run_live.html", game=game, page=_page(game, run_id)))


@pages.get("/games/<number:number>")
def played(game: str, run_id: int, number: int) -> Response:
    """Show a game of a run in the viewer."""
    with reading() as db:
        own = own_run(db, game, run_id)
        standing, analysis = analysis_of_run_game(db, own, number, is_on=settings().analysis_workers > 0)
    found = run_film(own, number, analysis)
    if found is None:
        abort(404, "This run has no such game.")
    film, shown = found
    values = {"run": own, "shown": shown, "standing": standing, "costs": run_costs(film, shown.seat)}
    return _private(render_template("run_game.html", game=game, **values, **film_markup(film)))


def _page(game: str, run_id: int) -> RunPage:
    with reading() as db:
        return run_page(db, own_run(db, game, run_id))


def own_run(db: Session, game: str, run_id: int) -> DraftRun:
    """Return a run of the visitor's; ends in 404 for anybody else's."""
    current = visitor()
    found = None if current is None else run_for(db, current.id, game, run_id)
    if found is None:
        abort(404, "You have no such run; runs are kept for a day.")
    return found


def _private(markup: str) -> Response:
    answer = make_response(markup)
    answer.headers["Cache-Control"] = "no-store"
    return answer

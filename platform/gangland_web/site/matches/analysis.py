"""Asking for the analysis of a game, and where it stands."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from gangland.replay import load
from gangland_ladder.analysis.continuation import Continued, played_on
from gangland_ladder.viewer.film import film_of
from gangland_ladder.viewer.verdicts import percent
from gangland_ladder.viewer.what_if import what_if_words
from gangland_web.models.columns import stored
from gangland_web.models.jobs import RequestedBy
from gangland_web.models.matches import PlayedGame
from gangland_web.queries.analyses import analysis_of, continued_games
from gangland_web.queries.matches import MatchPage, public_film
from gangland_web.services.analyses import ask as ask_for
from gangland_web.site.analyses import analyses_games, have_analysed, refuse_other_sites, standing_of
from gangland_web.site.requested import requested_game
from gangland_web.site.viewer_files import film_markup
from gangland_web.web.caching import cached_page, conditional
from gangland_web.web.sessions import reading

pages = Blueprint("analysis", __name__, url_prefix="/matches/<number:match_id>/games/<number:block>/<number:rotation>")


@pages.post("/analysis")
def ask(match_id: int, block: int, rotation: int) -> AnyResponse:
    """Have a game analysed: the page's script asks once the page is visible, and its button does without a script."""
    refuse_other_sites()
    page, played = requested_game(match_id, block, rotation)
    return have_analysed(
        lambda db: ask_for(db, page.match, page.tournament, stored(played.id), RequestedBy.OPENED),
        lambda: _answered(page, played),
        url_for("matches.game", match_id=match_id, block=block, rotation=rotation),
    )


@pages.get("/analysis.json")
def standing(match_id: int, block: int, rotation: int) -> AnyResponse:
    """Say where the analysis of a game stands."""
    return _answered(*requested_game(match_id, block, rotation))


@pages.get("/from/<at>")
def what_if(match_id: int, block: int, rotation: int, at: str) -> AnyResponse:
    """Show a game played on from a costly decision, with the best one there."""
    page, played = requested_game(match_id, block, rotation)
    with reading() as db:
        _, analysis = analysis_of(db, page, played, is_on=analyses_games())
        sent = continued_games(db, played, analysis).get(at)
    if sent is None:
        abort(404, "The game is not played on from there.")
    return cached_page(
        f"what if {played.id} {at} {page.tournament.revision}", lambda: _what_if_page(page, played, at, sent)
    )


def _what_if_page(page: MatchPage, played: PlayedGame, at: str, sent: Continued) -> str:
    found = played_on(load(played.replay), sent)
    names = page.names(played.seating)
    stop = next(each for each in public_film(page, played).stops if each.at == at)
    seats = [
        {"name": name, "before": percent(before, 0), "after": percent(after, 0)}
        for name, before, after in zip(names, found.recorded, found.scores, strict=True)
    ]
    film = film_of(found.replay, names)
    words = what_if_words(found, stop, names)
    markup = film_markup(film, start=at)
    return render_template("what_if.html", page=page, played=played, stop=stop, words=words, seats=seats, **markup)


def _answered(page: MatchPage, played: PlayedGame) -> Response:
    with reading() as db:
        found, _ = analysis_of(db, page, played, is_on=analyses_games())
    return conditional(standing_of(found, cache="no-cache"))

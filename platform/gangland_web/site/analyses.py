"""Analyses: requests for a game's analysis and its state."""

import msgspec
from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from gangland.replay import load
from gangland_ladder.analysis.analyser import Continued, played_on
from gangland_ladder.viewer.commentary import percent, what_if_words
from gangland_ladder.viewer.film import film_of
from gangland_web.models.columns import stored
from gangland_web.models.matches import PlayedGame
from gangland_web.queries import analyses
from gangland_web.queries.matches import MatchPage, public_film
from gangland_web.services.analyses import WhyNotAnalyzed, ask
from gangland_web.site.serving import (
    GAME,
    requested_game,
)
from gangland_web.site.viewer import film_markup
from gangland_web.web.caching import cached_page, conditional
from gangland_web.web.requests import analyses_games
from gangland_web.web.sessions import database, reading

pages = Blueprint("analyses", __name__)


# The analysis of a game: requested, and how far it is.


@pages.post(f"{GAME}/analysis")
def request_for_game(match_id: int | str, block: int, rotation: int) -> AnyResponse:
    """Have a game analysed: the page's script asks once the page is visible, and its button does without a script.

    A GET asks for nothing, so no robot that follows links fills the queue.
    """
    # Pages without a session have forms without a token, so that a page of another site is known by this alone.
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403, "another site may not ask for an analysis")
    page, played = requested_game(match_id, block, rotation)
    if not analyses_games():
        abort(503, WhyNotAnalyzed.OFF.value)
    with database().write() as db:
        why = ask(db, page.match, page.tournament, stored(played.id))
    if why is not None:
        abort(503 if why is WhyNotAnalyzed.FULL else 422, why.value)
    if request.accept_mimetypes.best == "application/json":
        return _standing_of_game(page, played)
    return redirect(url_for("matches.game", match_id=match_id, block=block, rotation=rotation), 303)


@pages.get(f"{GAME}/analysis.json")
def game_standing(match_id: int | str, block: int, rotation: int) -> AnyResponse:
    """Return the state of the analysis of a game, as JSON."""
    return _standing_of_game(*requested_game(match_id, block, rotation))


@pages.get(f"{GAME}/from/<at>")
def what_if(match_id: int | str, block: int, rotation: int, at: str) -> AnyResponse:
    """Show a game played on from a costly decision, with the best one there."""
    page, played = requested_game(match_id, block, rotation)
    with reading() as db:
        _, analysis = analyses.analysis_of(db, page, played, is_on=analyses_games())
        sent = analyses.continued_games(db, played, analysis).get(at)
    if sent is None:
        abort(404, "The game is not played on from there.")
    return cached_page(
        f"what if {played.id} {at} {page.tournament.revision}", lambda: _what_if_page(page, played, at, sent)
    )


def _what_if_page(page: MatchPage, played: PlayedGame, at: str, sent: Continued) -> str:
    continued = played_on(load(played.replay), sent)
    names = page.names(played.seating)
    stop = next(each for each in public_film(page, played).stops if each.at == at)
    seats = [
        {"name": name, "before": percent(before, 0), "after": percent(after, 0)}
        for name, before, after in zip(names, continued.recorded, continued.scores, strict=True)
    ]
    film = film_of(continued.replay, names)
    words = what_if_words(continued, stop, names)
    markup = film_markup(film, start=at)
    return render_template(
        "viewer/opened.html", page=page, played=played, stop=stop, words=words, seats=seats, **markup
    )


def _standing_of_game(page: MatchPage, played: PlayedGame) -> Response:
    with reading() as db:
        standing, _ = analyses.analysis_of(db, page, played, is_on=analyses_games())
    answer = Response(msgspec.json.encode(standing), mimetype="application/json")
    answer.headers["Cache-Control"] = "no-cache"
    return conditional(answer)

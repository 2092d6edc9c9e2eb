"""Pages of matches and of the games in them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from flask import Blueprint, Response, abort, render_template, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from gangland.games import game_named
from gangland_ladder.analysis.account import Analysis
from gangland_ladder.viewer.commentary import result
from gangland_ladder.viewer.film import Film
from gangland_ladder.viewer.page import replay_page
from gangland_ladder.viewer.pictures import sentence_at
from gangland_ladder.viewer.presentation import presentation_of
from gangland_web.models.columns import stored
from gangland_web.models.matches import OVER, MatchState, PlayedGame
from gangland_web.queries.analyses import AnalysisStanding, analysis_of, continued_games
from gangland_web.queries.match_analysis import GameState, game_states, match_analysis, seats_table
from gangland_web.queries.match_lists import LETTERS, comparison_of, faults_of, grid_of, match_table, near, reasons_of
from gangland_web.queries.matches import (
    MatchPage,
    commands_of,
    dice_of,
    games_of,
    luck_summary,
    public_film,
    rating_moves,
    replay_file,
    replay_lines,
    shown_game,
    unrated_before,
    visible,
    why_not_played,
)
from gangland_web.queries.tables import TableData
from gangland_web.site.requested import requested_game, requested_stop
from gangland_web.site.responses import as_file
from gangland_web.site.sharing import WIDTH
from gangland_web.site.viewer_files import film_markup
from gangland_web.web.caching import attachment, cached_page
from gangland_web.web.requests import settings
from gangland_web.web.sessions import current_user, is_mine, reading

pages = Blueprint("matches", __name__, url_prefix="/matches/<number:match_id>")

LIVE_S, SETTLED_LIVE_S = 2, 10
"""How often an open page asks for what is new: before the match is over, and after, when its rating may be to come."""


@pages.get("")
@pages.get("/live", endpoint="live")
def match(match_id: int) -> AnyResponse:
    """Show a match: who sat there, how every game ended, what it did to the ratings."""
    with reading() as db:
        page = visible(db, match_id, current_user())
        live: dict[str, Any] = {"dice": dice_of(db, page), "before": unrated_before(db, page)}
        live["waits"] = why_not_played(db, page)
        states = game_states(db, match_id) if page.match.state == MatchState.DONE else []
        made_of = repr((page.match, page.seats, page.host, page.tournament.state, live, states))
        return cached_page(made_of, lambda: _match_page(db, page, live, states))


def _match_page(db: Session, page: MatchPage, live: dict[str, Any], states: Sequence[GameState]) -> str:
    games = games_of(db, stored(page.match.id)) if page.match.state == MatchState.DONE else []
    grid = grid_of(page, games)
    ranked = sorted(page.seats, key=lambda seat: (seat.mean_place or 0.0, seat.position))
    return render_template(
        "match.html",
        page=page,
        ranked=ranked,
        grid=grid,
        letters=LETTERS,
        faulty=faults_of(games),
        is_mine=is_mine,
        reasons=reasons_of(grid),
        unit=game_named(page.tournament.game).luck_unit,
        luck=luck_summary(page) if grid else "",
        moves=rating_moves(page) if grid else {},
        commands=commands_of(page),
        analysis=match_analysis(db, page, states, is_on=settings().analysis_workers > 0) if grid else None,
        over=page.match.state in OVER,
        live_s=SETTLED_LIVE_S if page.match.state in OVER else LIVE_S,
        **live,
    )


@pages.get("/<any(bots, games):what>.<any(csv, json):form>")
@as_file("match-{match_id}-{what}")
def table(db: Session, match_id: int, what: str) -> TableData:
    """Hand out a table of a match's page; before it is over its bots alone."""
    return match_table(db, visible(db, match_id, current_user()), what)


@pages.get("/analysis.<any(csv, json):form>")
@as_file("match-{match_id}-analysis")
def analysis(db: Session, match_id: int) -> TableData:
    """Hand out where the results of a match came from, a row for each seat of each game."""
    return seats_table(db, visible(db, match_id, current_user()))


@pages.get("/games/<number:block>/<number:rotation>")
def game(match_id: int, block: int, rotation: int) -> AnyResponse:
    """Show a game: who won and why, the viewer, what went wrong, the match's other games, and the story."""
    page, played = requested_game(match_id, block, rotation)
    with reading() as db:
        standing, analysis = analysis_of(db, page, played, is_on=settings().analysis_workers > 0)
        continued = continued_games(db, played, analysis)
    shown = f"game {played.id} {page.tournament.id} {page.tournament.revision} {standing} {list(continued)}"
    return cached_page(shown, lambda: _game_page(page, played, standing, analysis, continued))


def _game_page(
    page: MatchPage,
    played: PlayedGame,
    standing: AnalysisStanding,
    analysis: Analysis | None,
    continued: Collection[str],
) -> str:
    shown = shown_game(page, played, current_user(), analysis)
    at: dict[str, Any] = {"match_id": page.match.id, "block": played.block, "rotation": played.rotation}
    for stop in shown.film.stops:
        if stop.at in continued:
            stop.what_if = url_for("analyses.what_if", at=stop.at, **at)
    with reading() as db:
        grid = grid_of(page, games_of(db, stored(page.match.id)))
        dice = dice_of(db, page)
    start = requested_stop(shown.film)
    return render_template(
        "replay.html",
        page=page,
        shown=shown,
        standing=standing,
        start=start,
        makes_clips=settings().analysis_workers > 0,
        result=result(shown.film) if start is None else sentence_at(shown.film, start),
        **film_markup(shown.film, start=start, game_logs=shown.unplaced_logs, pictured=True),
        row=grid[played.block],
        blocks=near(grid, played.block),
        total=len(grid),
        letters=LETTERS,
        here=next(cell for cell in grid[played.block].games if cell.rotation == played.rotation),
        unit=game_named(shown.replay.game).luck_unit,
        commands=commands_of(page, played.block, played.rotation),
        dice=dice,
        frame=(WIDTH, presentation_of(shown.replay.game).frame_px),
    )


@pages.get("/games/<number:block>/<number:rotation>/compare/<number:other>")
def compare(match_id: int, block: int, rotation: int, other: int) -> str:
    """Show two games of the same dice in two orders of the seats, round by round."""
    if rotation == other:
        abort(404)
    page, played = requested_game(match_id, block, rotation)
    _, second = requested_game(match_id, block, other)
    films = [(public_film(page, each), each) for each in (played, second)]
    with reading() as db:
        grid = grid_of(page, games_of(db, match_id))
    return render_template(
        "compare.html", page=page, block=block, both=comparison_of(page, films), row=grid[block], letters=LETTERS
    )


@pages.get("/games/<number:block>/<number:rotation>/replay.json")
def replay_json(match_id: int, block: int, rotation: int) -> Response:
    """Hand out a game's replay as a file, with the names of its bots."""
    page, played = requested_game(match_id, block, rotation)
    return attachment(replay_file(page, played) + "\n", "application/json", f"{_stem(match_id, block, rotation)}.json")


@pages.get("/games/<number:block>/<number:rotation>/replay.html")
def replay_html(match_id: int, block: int, rotation: int) -> Response:
    """Hand out a game as one page that works without this site."""
    page, played = requested_game(match_id, block, rotation)
    with reading() as db:
        _, analysis = analysis_of(db, page, played, is_on=settings().analysis_workers > 0)
    film: Film = public_film(page, played, analysis)
    return attachment(replay_page(film), "text/html", f"{_stem(match_id, block, rotation)}.html")


@pages.get("/replays.ndjson")
def replays(match_id: int) -> Response:
    """Hand out all replays of a match with the names of its bots, one a line, by block and rotation."""
    with reading() as db:
        text = replay_lines(db, match_id, current_user())
    return attachment(text, "application/x-ndjson", f"gangland-match-{match_id}.ndjson")


def _stem(match_id: int, block: int, rotation: int) -> str:
    return f"gangland-match-{match_id}-block-{block}-rotation-{rotation}"

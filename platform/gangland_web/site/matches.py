"""Pages of matches and their games, with analyses and replays."""

from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec
from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask import Response as FlaskResponse
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland.games import game_named
from gangland.replay import load
from gangland_ladder.analysis.account import Analysis
from gangland_ladder.analysis.analyzer import StoredContinuation, load_continuation
from gangland_ladder.viewer.commentary import percent, result_sentence, seat_result, what_if_text
from gangland_ladder.viewer.page import replay_page
from gangland_ladder.viewer.pictures import sentence_at
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.timeline import END, timeline_of
from gangland_web.models.columns import row_id
from gangland_web.models.matches import OVER, MatchState, PlayedGame
from gangland_web.queries import analyses, challenges, draft_runs, match_lists, matches
from gangland_web.queries.match_analysis import GameState, game_states, match_analysis, seats_table
from gangland_web.queries.tables import TableData, file_urls
from gangland_web.services.analyses import NotAnalyzedReason, queue_analysis
from gangland_web.services.drafts import setup_of
from gangland_web.site import serving, sharing, viewer
from gangland_web.web import caching, sessions
from gangland_web.web.requests import analyzes_games

pages = Blueprint("matches", __name__)


# A match and its games.

# Seconds between two updates of an open page: while the match runs, and after it until the ratings are updated.
MATCH_LIVE_S, SETTLED_LIVE_S = 2, 10


@pages.get("/matches/<match:match_id>")
@pages.get("/matches/<number:match_id>/live", endpoint="match_live")
def match(match_id: int | str) -> Response:
    """Show a match: its bots, the results of all games, and rating changes.

    Private matches redirect to their game, or to the draft run that played them.
    """
    if isinstance(match_id, str):
        run = serving.requested_match(match_id).run
        if run is None:
            return redirect(url_for("matches.game", match_id=match_id, block=0, rotation=0))
        return redirect(url_for("editor.run_result", game=setup_of(run).game, run_id=run.id))
    with sessions.reading() as db:
        page = matches.visible_match(db, match_id, sessions.current_user())
        live: dict[str, Any] = {"dice": matches.dice_of(db, page), "before": matches.unrated_before(db, page)}
        live |= {"waits": matches.waiting_reason(db, page), "is_begun": matches.is_begun(db, page)}
        states = game_states(db, match_id) if page.match.state == MatchState.DONE else []
        contents = repr((page.match, page.seats, page.host, page.tournament.state, live, states))
        return caching.cached_page(contents, lambda: _match_page(db, page, live, states))


_RATING_CAPTION: Final = "One update per match, from the mean places. Below each rating: strength ± uncertainty."


def _match_page(db: Session, page: matches.MatchPage, live: dict[str, Any], states: Sequence[GameState]) -> str:
    games = matches.games_of(db, row_id(page.match.id)) if page.match.state == MatchState.DONE else []
    grid = match_lists.grid_of(page, games)
    ranked = sorted(page.seats, key=lambda seat: (seat.mean_place or 0.0, seat.position))
    unit = game_named(page.tournament.game).luck_unit
    files = {
        what: file_urls("matches.bots_or_games_file", match_id=page.match.id, what=what) for what in ("bots", "games")
    }
    return render_template(
        "matches/match.html",
        page=page,
        ranked=ranked,
        players=match_lists.PLAYERS.renamed({"Luck": f"Luck ({unit})"}).of(ranked, **files["bots"]),
        of_play=(*match_lists.RESULT_HEADINGS, f"Luck ({unit})"),
        of_luck=(f"Luck ({unit})", "Adjusted place"),
        of_others=("Version", "Owner", "Wins", "Faults"),
        rated=match_lists.RATING_MOVES.of(ranked, _RATING_CAPTION, **files["bots"]),
        games=files["games"],
        grid=grid,
        letters=match_lists.LETTERS,
        faulty=match_lists.faults_of(games),
        is_own=sessions.is_own,
        reasons=match_lists.reasons_of(grid),
        unit=unit,
        luck=matches.luck_summary(page) if grid else "",
        moves=matches.rating_moves(page) if grid else {},
        commands=matches.commands_of(page),
        analysis=match_analysis(db, page, states, is_on=analyzes_games()) if grid else None,
        over=page.match.state in OVER,
        live_s=SETTLED_LIVE_S if page.match.state in OVER else MATCH_LIVE_S,
        **live,
    )


@pages.get("/matches/<number:match_id>.json")
def match_json(match_id: int) -> Response:
    """Return a match in the API's format; 304 if it has not changed."""
    with sessions.reading() as db:
        return serving.document(
            "match-page", match_lists.match_detail(db, matches.visible_match(db, match_id, sessions.current_user()))
        )


@pages.get("/matches/<number:match_id>/<any(bots, games):what>.<any(csv, json):form>")
@serving.as_file("match-{match_id}-{what}")
def bots_or_games_file(db: Session, match_id: int, what: str) -> TableData:
    """Return the bots or the games of a match as a file."""
    return match_lists.match_table(db, matches.visible_match(db, match_id, sessions.current_user()), what)


@pages.get("/matches/<number:match_id>/analysis.<any(csv, json):form>")
@serving.as_file("match-{match_id}-analysis")
def analysis_file(db: Session, match_id: int) -> TableData:
    """Return the analysis of a match as a file, with one row per seat and game."""
    return seats_table(db, matches.visible_match(db, match_id, sessions.current_user()))


@pages.get(serving.GAME)
def game(match_id: int | str, block: int, rotation: int) -> Response:
    """Show a game: its result, the viewer, its faults, the other games of the match, and a summary."""
    return game_page(*serving.requested_game(match_id, block, rotation))


def game_page(page: matches.MatchPage, played: PlayedGame, problem: str = "") -> Response:
    """Return the page of a game.  `problem`: why the visitor's table cannot be shared or replayed."""
    with sessions.reading() as db:
        status, analysis = analyses.analysis_of(db, page, played, is_on=analyzes_games())
        continued = analyses.continued_games(db, played, analysis)
    typed = request.form.get("name", "") if problem else ""
    browser_key = sessions.browser_key() if page.is_own else None
    table = page.table and (page.table.shared_at, page.table.shared_name, browser_key, problem, typed)
    contents = f"game {played.id} {page.tournament.id} {page.tournament.revision} {status} {list(continued)} {table!r}"

    def render() -> str:
        return _game_page(page, played, status, analysis, continued, problem=problem, typed=typed)

    # Anonymous visitors share one cached page, unless the game is from their own table.
    keep_own, has_query = (
        page.is_own or (page.table is not None and sessions.visitor() is not None),
        page.table is None,
    )
    return caching.cached_page(contents, render, keep_own=keep_own, has_query=has_query or "at" in request.args)


def _game_page(
    page: matches.MatchPage,
    played: PlayedGame,
    status: analyses.AnalysisStatus,
    analysis: Analysis | None,
    continued: Collection[str],
    **values: str,
) -> str:
    details = matches.game_details(page, played, sessions.current_user(), analysis)
    at: dict[str, Any] = {"match_id": page.ref, "block": played.block, "rotation": played.rotation}
    for frame in details.timeline.frames:
        if frame.at in continued:
            frame.what_if = url_for("matches.what_if", at=frame.at, **at)
    with sessions.reading() as db:
        grid = match_lists.grid_of(page, matches.games_of(db, row_id(page.match.id)))
        dice = matches.dice_of(db, page)
    start = serving.requested_frame(details.timeline)
    return render_template(
        "matches/replay.html",
        page=page,
        at=at,
        costs=None if page.run is None else draft_runs.run_costs(details.timeline, played),
        own_result="" if page.person is None else seat_result(details.timeline, page.person),
        shown=details,
        status=status,
        start=start,
        makes_clips=analyzes_games() and page.match.key is None,
        result=result_sentence(details.timeline) if start is None else sentence_at(details.timeline, start),
        **viewer.timeline_markup(
            details.timeline,
            start=start or (page.is_own and END) or None,
            game_logs=details.unplaced_logs,
            pictured=True,
        ),
        row=grid[played.block],
        blocks=match_lists.nearby_blocks(grid, played.block),
        total=len(grid),
        letters=match_lists.LETTERS,
        cell_here=next(cell for cell in grid[played.block].games if cell.rotation == played.rotation),
        unit=game_named(details.replay.game).luck_unit,
        commands=matches.commands_of(page, played.block, played.rotation),
        dice=dice,
        frame=(sharing.WIDTH, presentation_of(details.replay.game).embed_height_px),
        **values,
    )


@pages.get(f"{serving.GAME}/compare/<number:other>")
def compare(match_id: int | str, block: int, rotation: int, other: int) -> str:
    """Compare two games with the same dice and different seat orders, round by round."""
    if rotation == other:
        abort(404)
    page, played = serving.requested_game(match_id, block, rotation)
    _, second = serving.requested_game(match_id, block, other)
    timelines = [(matches.public_timeline(page, record), record) for record in (played, second)]
    with sessions.reading() as db:
        grid = match_lists.grid_of(page, matches.games_of(db, played.match_id))
    return render_template(
        "matches/compare.html",
        page=page,
        block=block,
        both=match_lists.comparison_of(page, timelines),
        row=grid[block],
        letters=match_lists.LETTERS,
    )


@pages.get(f"{serving.GAME}/replay.json")
def replay_json(match_id: int | str, block: int, rotation: int) -> FlaskResponse:
    """Send a game's replay as a file, with the names of its bots."""
    page, played = serving.requested_game(match_id, block, rotation)
    return caching.attachment(
        matches.replay_file(page, played) + "\n", "application/json", f"{page.file_of(block, rotation)}.json"
    )


@pages.get(f"{serving.GAME}/replay.html")
def replay_html(match_id: int | str, block: int, rotation: int) -> FlaskResponse:
    """Send a game as a single page that works offline."""
    page, played = serving.requested_game(match_id, block, rotation)
    with sessions.reading() as db:
        _, analysis = analyses.analysis_of(db, page, played, is_on=analyzes_games())
    return caching.attachment(
        replay_page(matches.public_timeline(page, played, analysis)),
        "text/html",
        f"{page.file_of(block, rotation)}.html",
    )


@pages.get("/matches/<match:match_id>/replays.ndjson")
def replays(match_id: int | str) -> FlaskResponse:
    """Send all replays of a match, one per line, by block and rotation."""
    page = serving.requested_match(match_id)
    with sessions.reading() as db:
        text = matches.replay_lines(db, page)
    return caching.attachment(text, "application/x-ndjson", f"gangland-match-{match_id}.ndjson")


# The analysis of a game: its request and its progress.


@pages.post(f"{serving.GAME}/analysis")
def request_analysis(match_id: int | str, block: int, rotation: int) -> Response:
    """Request the analysis of a game.  Sent by the page's script once the page is visible, or by a button."""
    # A GET does not request an analysis, so crawlers that follow links cannot fill the queue.
    # Without a session, forms have no token, so only this header identifies requests from other sites.
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403, "other sites may not request an analysis")
    page, played = serving.requested_game(match_id, block, rotation)
    if not analyzes_games():
        abort(503, NotAnalyzedReason.OFF.value)
    with sessions.database().write() as db:
        refusal = queue_analysis(db, page.match, page.tournament, row_id(played.id))
    if refusal is not None:
        abort(503 if refusal is NotAnalyzedReason.FULL else 422, refusal.value)
    if request.accept_mimetypes.best == "application/json":
        return _status_response(page, played)
    return redirect(url_for("matches.game", match_id=match_id, block=block, rotation=rotation), 303)


@pages.get(f"{serving.GAME}/analysis.json")
def analysis_status(match_id: int | str, block: int, rotation: int) -> Response:
    """Return the state of the analysis of a game, as JSON."""
    return _status_response(*serving.requested_game(match_id, block, rotation))


@pages.get(f"{serving.GAME}/from/<at>")
def what_if(match_id: int | str, block: int, rotation: int, at: str) -> Response:
    """Show how a game continues if the best decision replaces a costly one."""
    page, played = serving.requested_game(match_id, block, rotation)
    with sessions.reading() as db:
        _, analysis = analyses.analysis_of(db, page, played, is_on=analyzes_games())
        continuation = analyses.continued_games(db, played, analysis).get(at)
    if continuation is None:
        abort(404, "There is no continuation from this decision.")
    return caching.cached_page(
        f"what if {played.id} {at} {page.tournament.revision}", lambda: _what_if_page(page, played, at, continuation)
    )


def _what_if_page(page: matches.MatchPage, played: PlayedGame, at: str, continuation: StoredContinuation) -> str:
    continued = load_continuation(load(played.replay), continuation)
    names = page.names(played.seating)
    frame = next(candidate for candidate in matches.public_timeline(page, played).frames if candidate.at == at)
    seats = [
        {"name": name, "before": percent(before, 0), "after": percent(after, 0)}
        for name, before, after in zip(names, continued.recorded, continued.scores, strict=True)
    ]
    timeline = timeline_of(continued.replay, names)
    text = what_if_text(continued, frame, names)
    markup = viewer.timeline_markup(timeline, start=at)
    parameters = {"page": page, "played": played, "frame": frame}
    return render_template("viewer/opened.html", **parameters, what_if_text=text, seats=seats, **markup)


def _status_response(page: matches.MatchPage, played: PlayedGame) -> FlaskResponse:
    with sessions.reading() as db:
        status, _ = analyses.analysis_of(db, page, played, is_on=analyzes_games())
    response = FlaskResponse(msgspec.json.encode(status), mimetype="application/json")
    response.headers["Cache-Control"] = "no-cache"
    return caching.make_conditional(response)


# The latest finished matches of all ladders, as a file.


@pages.get("/matches.<any(csv,json):form>")
@serving.as_file("matches")
def latest(db: Session) -> TableData:
    """Return the latest finished matches of all ladders as a file."""
    return match_lists.matches_table(match_lists.latest_matches(db, match_lists.PAGE_SIZE))


# Challenges of the visitor's bots, as files; the form in `play` starts them.

_CHALLENGES = 30


@pages.get("/challenges.<any(csv,json):form>")
@sessions.require_sign_in
@serving.as_file("challenges")
def challenges_file(db: Session) -> TableData:
    """Return the challenges of the visitor's bots as a file."""
    return challenges.challenges_table(challenges.challenges_of(db, sessions.signed_in().id, _CHALLENGES))

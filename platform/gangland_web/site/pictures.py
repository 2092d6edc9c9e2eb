"""Preview cards of the site's pages, and pictures and clips of games.

A picture costs less than the page of a game, so the web process draws it.  A worker that knows no secrets makes clips.
"""

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Final

import msgspec
from flask import Blueprint, Flask, abort, current_app, make_response, render_template, request
from werkzeug.wrappers import Response

from gangland.replay import load
from gangland_ladder.common.texts import counted
from gangland_ladder.viewer.cards import Card, Row, draw_card
from gangland_ladder.viewer.clip_jobs import ClipJob
from gangland_ladder.viewer.clips import FileFormat, clip_round, render
from gangland_ladder.viewer.drawing.canvas import TEXT_CHARS, Scheme
from gangland_ladder.viewer.drawing.fonts import one_line, readable
from gangland_ladder.viewer.timeline import NoSuchFrame, timeline_of
from gangland_web.base.formats import GAME_TITLES, number
from gangland_web.base.text import sentence, shown
from gangland_web.models.matches import RATED, MatchState, PlayedGame
from gangland_web.queries.bots import bot_page, ratings_of
from gangland_web.queries.matches import MatchPage, notes_of, public_timeline, visible_match
from gangland_web.queries.standings import board, visible_standings
from gangland_web.queries.tournaments import get_tournament, parts_of
from gangland_web.services.analyses import is_public
from gangland_web.services.clips import ClipOutcome, clip_state, find_clip, request_clip
from gangland_web.site.serving import GAME, requested_game, row_or_404
from gangland_web.web.caching import ClipFiles, Pages, answer_page, code_digest, make_conditional
from gangland_web.web.limits import count_clip, may_order_clip
from gangland_web.web.requests import analyzes_games, dispatch_soon, settings
from gangland_web.web.sessions import database, reading

pages = Blueprint("pictures", __name__)


# Games: a decision as PNG, a round or the whole game as animated WebP or GIF.
#
# Until a clip is ready, its URL returns a page with status 202 that polls.

_POLL_S: Final = 2  # the first interval at which the waiting page polls for the clip; later intervals are longer
_PART: Final = re.compile(r"game|end|r[1-9][0-9]{0,8}(?:\.s[1-9][0-9]{0,8}\.d[1-9][0-9]{0,8})?")
_OFF: Final = "This site makes no clips; `gangland replay FILE --clip` makes one on your own machine."
_FULL: Final = "Too many clips are already waiting; try again in a minute."
_FAILED: Final = "This clip could not be made."


@pages.get(f"{GAME}/picture/<part>.png")
def picture(match_id: int | str, block: int, rotation: int, part: str) -> Response:
    """Return a picture of a decision, of the start of a round, or of the end."""
    page, played = requested_game(match_id, block, rotation)
    job = _clip_job(page, played, part, FileFormat.PNG)

    def draw() -> bytes:
        try:
            timeline = timeline_of(load(job.replay), job.names, notes=job.notes)
            return render(timeline, part, FileFormat.PNG, Scheme(job.scheme), label=job.label)
        except NoSuchFrame as mistake:
            abort(404, sentence(shown(str(mistake), limit=300)))

    response = answer_page(_cache_key(job), draw, FileFormat.PNG.mimetype, current_app.extensions["gangland_cards"])
    return _with_cache_headers(response, page)


@pages.get(f"{GAME.replace('match:', 'number:')}/clip/<part>.<any(webp, gif):ending>")
def clip(match_id: int, block: int, rotation: int, part: str, ending: str) -> Response:
    """Return a clip of a round or of the game; until it is ready, a page that polls for it."""
    page, played = requested_game(match_id, block, rotation)
    form = FileFormat(ending)
    job = _clip_job(page, played, part, form)
    mark = _cache_key(job)
    key, files = f"{mark}.{form}", ClipFiles(settings().data)
    body = files.get(key)
    if body is None:
        body = _request_clip(files, key, job, lambda: clip_round(public_timeline(page, played), part))
    if body is None:
        return _waiting_page(page, played, part)
    response = Response(body, mimetype=form.mimetype)
    response.set_etag(mark)
    return _with_cache_headers(make_conditional(response), page)


def _request_clip(files: ClipFiles, key: str, job: ClipJob, check: Callable[[], object]) -> bytes | None:
    """Return a clip if it is ready; otherwise request it once, and return None."""
    if not analyzes_games() or settings().redis_url is None:
        abort(404, _OFF)
    with reading() as db:
        clip, outcome = find_clip(db, key), clip_state(db, key)
    if clip is not None and clip.body is not None:
        files.put(key, clip.body)
        return clip.body
    if outcome is None:
        may_order_clip()
        try:
            check()
        except NoSuchFrame as mistake:
            abort(404, sentence(shown(str(mistake), limit=300)))
        with database().write() as db:
            outcome = request_clip(db, key, job)
        if outcome is ClipOutcome.QUEUED:
            count_clip()
            dispatch_soon()
    if outcome in (ClipOutcome.FULL, ClipOutcome.FAILED):
        abort(503, _FULL if outcome is ClipOutcome.FULL else _FAILED)
    return None


def _waiting_page(page: MatchPage, played: PlayedGame, part: str) -> Response:
    parameters = {"match_id": page.ref, "block": played.block, "rotation": played.rotation}
    response = make_response(
        render_template("pictures/clip.html", page=page, part=part, again_s=_POLL_S, where=parameters), 202
    )
    response.headers["Retry-After"] = str(_POLL_S)
    response.headers["Cache-Control"] = "no-store"
    return response


def _with_cache_headers(response: Response, page: MatchPage) -> Response:
    """Allow all caches to store a response that every visitor may see; allow only the browser to store any other."""
    public = page.match.purpose in RATED and is_public(page.tournament)
    response.headers["Cache-Control"] = "public, max-age=300" if public else "private, no-cache"
    if public:
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _clip_job(page: MatchPage, played: PlayedGame, part: str, form: FileFormat) -> ClipJob:
    """Return the parameters of a picture or a clip, or abort with 404 or 400 if the URL is invalid."""
    if _PART.fullmatch(part) is None:
        abort(404)
    title = page.title_of(played)
    heading = title[:1].upper() + title[1:]
    return ClipJob(played.replay, _names(page, played), notes_of(played), part, form.value, _scheme().value, heading)


def _cache_key(job: ClipJob) -> str:
    return sha256(code_digest().encode() + msgspec.json.encode(job)).hexdigest()[:32]


def _names(page: MatchPage, played: PlayedGame) -> list[str]:
    """Return the bots' names; "Seat 2" replaces a name that the available fonts cannot draw."""
    lines = [one_line(shown(name), TEXT_CHARS) for name in page.names(played.seating)]
    return [readable(line, f"Seat {seat}") for seat, line in enumerate(lines, 1)]


def _scheme() -> Scheme:
    scheme = request.args.get("scheme", Scheme.LIGHT.value)
    if scheme not in set(Scheme):
        abort(400, f"scheme must be {' or '.join(Scheme)}, not {shown(scheme, limit=20)!r}")
    return Scheme(scheme)


# Preview cards of bots, matches and tournaments, with public data only.

_MAX_CARDS: Final = 64  # the number of pictures that each process caches, about 40 KB each
_CACHE_CONTROL: Final = "public, max-age=300"
_NAME_CHARS: Final = 80
_ROWS: Final = 4


def init_cards(app: Flask) -> None:
    """Give the application its cache of pictures."""
    app.extensions["gangland_cards"] = Pages(_MAX_CARDS)


@pages.get("/cards/site.png")
def site_card() -> Response:
    """Return the card of the site."""
    rows = tuple(Row("", title) for title in GAME_TITLES.values())
    return _card_response(Card("", "Bots roll for the city", rows, "Every roll can be played again."))


@pages.get("/cards/bots/<number:bot_id>.png")
def bot_card(bot_id: int) -> Response:
    """Return the card of a bot: its game, its owner, and the rating of its version at each table size."""
    with reading() as db:
        page = row_or_404(bot_page(db, bot_id))
        ratings = ratings_of(db, bot_id)
    active = page.active.number if page.active else None
    rows = [
        Row(str(row.seats), "seats", f"{number(row.entry.rating)}  ({counted(row.entry.games, 'game')})")
        for row in ratings
        if row.entry.active
    ]
    owner = f"by {_name(page.owner, 'its owner')}" if page.owner else "by Gangland"
    foot = f"{owner}, version {active}" if active is not None else f"{owner}, not on the ladders"
    return _card_response(
        Card(GAME_TITLES[page.bot.game], _name(page.bot.name, f"Bot {bot_id}"), tuple(rows[:_ROWS]), foot)
    )


@pages.get("/cards/matches/<number:match_id>.png")
def match_card(match_id: int) -> Response:
    """Return the card of a match: its bots by mean place; before the match is over, in order of entry."""
    with reading() as db:
        page = visible_match(db, match_id, None)
    match, tournament = page.match, page.tournament
    over = match.state == MatchState.DONE.value
    seats = sorted(page.seats, key=lambda seat: (seat.mean_place or 0.0, seat.position)) if over else page.seats
    best = seats[0].mean_place
    rows = tuple(
        Row(
            str(1 + sum((other.mean_place or 0) < (seat.mean_place or 0) for other in seats)) if over else "",
            f"{_name(seat.bot, f'Bot {seat.bot_id}')} v{seat.version}",
            f"mean place {number(seat.mean_place)}" if over and seat.mean_place is not None else "",
            over and seat.mean_place == best,
        )
        for seat in seats
    )
    foot = f"{counted(page.size.blocks, 'block')}, the same dice in all {page.size.seats} rotations"
    eyebrow = f"{GAME_TITLES[tournament.game]}, {page.size.seats} seats"
    return _card_response(Card(eyebrow, f"Match {match.id}", rows, foot if over else match.state))


@pages.get("/cards/tournaments/<number:tournament_id>.png")
def tournament_card(tournament_id: int) -> Response:
    """Return the card of a tournament: the top of its standings if they are visible, else its bots."""
    with reading() as db:
        tournament = get_tournament(db, tournament_id, None)
        parts, standings = parts_of(db, tournament), visible_standings(db, tournament, None)
    if standings:
        lines = board(standings, parts).rows[:_ROWS]
        names = [_name(line.part.bot, f"Bot {line.part.bot_id}") for line in lines]
        ranks = [str(line.figures["rank"]) for line in lines]
        rows = tuple(Row(rank, name, is_first=rank == ranks[0]) for rank, name in zip(ranks, names, strict=True))
    else:
        rows = tuple(Row("", _name(part.bot, f"Bot {part.bot_id}")) for part in parts[:_ROWS])
    foot = f"{counted(len(parts), 'bot')}, {tournament.state}"
    title = _name(tournament.name, f"Tournament {tournament_id}")
    return _card_response(Card(f"{GAME_TITLES[tournament.game]}, {tournament.seats} seats", title, rows, foot))


def _name(text: str, fallback: str) -> str:
    """Return a name as one line, or `fallback` if it is unreadable."""
    return readable(one_line(shown(text, limit=_NAME_CHARS), _NAME_CHARS), fallback)


def _card_response(card: Card) -> Response:
    etag = sha256(f"{code_digest()} {card!r}".encode()).hexdigest()[:32]
    response = answer_page(etag, lambda: draw_card(card), "image/png", current_app.extensions["gangland_cards"])
    response.headers["Cache-Control"] = _CACHE_CONTROL
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response

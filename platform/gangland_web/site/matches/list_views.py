"""Pages that list finished ladder matches, of a ladder and of a bot, the same lists as files, and a match as JSON."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, abort, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.base.formats import GAME_TITLES, Form
from gangland_web.base.text import shown
from gangland_web.models.bots import Bot
from gangland_web.queries.bots import entries_of
from gangland_web.queries.ladders import ladder_state
from gangland_web.queries.match_lists import (
    LATEST,
    PAGE,
    MatchList,
    latest_matches,
    match_detail,
    matches_of_entries,
    matches_of_ladder,
    matches_table,
)
from gangland_web.queries.matches import visible
from gangland_web.queries.tables import TableData, file_urls
from gangland_web.site.ladders import state_mark
from gangland_web.site.requested import ladder_seats
from gangland_web.site.responses import as_file, document, page_or_part, table_file
from gangland_web.web.address import next_page
from gangland_web.web.caching import cached_page
from gangland_web.web.sessions import current_user, reading, visitor

pages = Blueprint("match_lists", __name__)

LIVE_S: Final = 10


@pages.get("/ladders/<game>/matches")
@pages.get("/ladders/<game>/matches/live", endpoint="of_ladder_live")
def of_ladder(game: str) -> Response:
    """List a ladder's finished matches, the highest number first."""
    seats, before = ladder_seats(game), _before()
    visitor()
    with reading() as db:
        state = ladder_state(db, game, seats)
        if state is None:
            abort(404)
        found = state.id

        def make() -> str:
            listed = matches_of_ladder(db, found, PAGE, before=before)
            title = f"{GAME_TITLES[game]}, {seats} seats"
            back = url_for("ladders.ladder", game=game, seats=seats)
            return _rendered(listed, title, back, "The ladder", "match_lists.of_ladder", game=game, seats=seats)

        return cached_page(state_mark(state), make)


@pages.get("/ladders/<game>/matches.<any(csv,json):form>")
def of_ladder_file(game: str, form: str) -> Response:
    """Hand out a page of a ladder's finished matches as a file."""
    seats, before = ladder_seats(game), _before()
    with reading() as db:
        state = ladder_state(db, game, seats)
        if state is None:
            abort(404)
        listed = matches_of_ladder(db, state.id, PAGE, before=before)
    return table_file(matches_table(listed.rows, next_page(before=listed.older)), Form(form), f"{game}-{seats}-matches")


@pages.get("/bots/<number:bot_id>/matches")
@pages.get("/bots/<number:bot_id>/matches/live", endpoint="of_bot_live")
def of_bot(bot_id: int) -> Response:
    """List a bot's finished ladder matches, of all its versions, the highest number first."""
    with reading() as db:
        name, listed = _of_bot(db, bot_id)
    back = url_for("bots.bot", bot_id=bot_id)
    return page_or_part(_rendered(listed, name, back, "The bot", "match_lists.of_bot", bot_id=bot_id))


@pages.get("/bots/<number:bot_id>/matches.<any(csv,json):form>")
@as_file("bot-{bot_id}-matches")
def of_bot_file(db: Session, bot_id: int) -> TableData:
    """Hand out a page of a bot's finished ladder matches as a file."""
    _, listed = _of_bot(db, bot_id)
    return matches_table(listed.rows, next_page(before=listed.older))


@pages.get("/matches.<any(csv,json):form>")
@as_file("matches")
def latest(db: Session) -> TableData:
    """Hand out the latest finished matches of all ladders."""
    return matches_table(latest_matches(db, PAGE), caption="Latest first")


@pages.get("/matches/<number:match_id>.json")
def match_json(match_id: int) -> Response:
    """Return a match as the API does; 304 when nothing has changed."""
    with reading() as db:
        return document("match-page", match_detail(db, visible(db, match_id, current_user())))


def _of_bot(db: Session, bot_id: int) -> tuple[str, MatchList]:
    before, bot = _before(), db.get(Bot, bot_id)
    if bot is None:
        abort(404)
    return bot.name, matches_of_entries(db, entries_of(db, [bot_id]), PAGE, before=before)


def _before() -> int:
    """Return the key that was asked for: that above all if none was."""
    given = request.args.get("before")
    if given is None:
        return LATEST
    if not given.isdecimal() or not given.isascii() or len(given) > 10 or int(given) > LATEST:
        abort(400, f"before must be a whole number, as the links of a page have it, not {shown(given, limit=20)!r}")
    return int(given)


def _rendered(listed: MatchList, of: str, back: str, back_words: str, endpoint: str, **where: Any) -> str:
    """Return the page; its files begin with the same match, and `endpoint` is the page's own."""
    return render_template(
        "matches.html",
        matches=listed.rows,
        of=of,
        back=back,
        back_words=back_words,
        older=url_for(endpoint, before=listed.older, **where) if listed.older is not None else None,
        live_s=LIVE_S,
        **file_urls(f"{endpoint}_file", **where, before=request.args.get("before")),
    )

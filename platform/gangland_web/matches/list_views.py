"""Pages that list finished ladder matches: of a ladder, of a bot."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.bots.models import Bot
from gangland_web.bots.page_queries import ratings_of
from gangland_web.columns import stored
from gangland_web.leaderboard.queries import ladder_state
from gangland_web.leaderboard.views import asked_ladder, state_mark
from gangland_web.matches.lists import LATEST, MatchList, matches_of_entries, matches_of_ladder
from gangland_web.web.formats import GAME_TITLES
from gangland_web.web.marks import marked
from gangland_web.web.sessions import reading, visitor
from gangland_web.web.text import shown

pages = Blueprint("match_lists", __name__)

PAGE = 50
"""Matches of a page."""


@pages.get("/ladders/<game>/matches")
def of_ladder(game: str) -> Response:
    """List a ladder's finished matches, latest first."""
    seats, before = asked_ladder(game), _before()
    visitor()
    with reading() as db:
        state = ladder_state(db, game, seats)
        if state is None:
            abort(404)
        found = state.id

        def make() -> str:
            listed = matches_of_ladder(db, found, PAGE, before=before)
            older = _older(listed, "match_lists.of_ladder", game=game, seats=seats)
            title = f"{GAME_TITLES[game]}, {seats} seats"
            back = url_for("leaderboard.ladder", game=game, seats=seats)
            return _rendered(listed, title, back, "The ladder", older)

        return marked(state_mark(state), make)


@pages.get("/bots/<number:bot_id>/matches")
def of_bot(bot_id: int) -> str:
    """List a bot's finished ladder matches, of all its versions, latest first."""
    before = _before()
    with reading() as db:
        name = _name(db, bot_id)
        entries = [stored(row.entry.id) for row in ratings_of(db, bot_id)]
        listed = matches_of_entries(db, entries, PAGE, before=before)
    older = _older(listed, "match_lists.of_bot", bot_id=bot_id)
    return _rendered(listed, name, url_for("bots.bot", bot_id=bot_id), "The bot", older)


def _name(db: Session, bot_id: int) -> str:
    bot = db.get(Bot, bot_id)
    if bot is None:
        abort(404)
    return bot.name


def _before() -> int:
    """Return the key that was asked for: that above all if none was."""
    given = request.args.get("before")
    if given is None:
        return LATEST
    if not given.isdecimal() or not given.isascii() or len(given) > 10 or int(given) > LATEST:
        abort(400, f"before must be a whole number, as the links of a page have it, not {shown(given, limit=20)!r}")
    return int(given)


def _older(listed: MatchList, endpoint: str, **where: str | int) -> str | None:
    return None if listed.older is None else url_for(endpoint, before=listed.older, **where)  # type: ignore[arg-type]


def _rendered(listed: MatchList, of: str, back: str, back_words: str, older: str | None) -> str:
    return render_template("matches.html", matches=listed.rows, of=of, back=back, back_words=back_words, older=older)

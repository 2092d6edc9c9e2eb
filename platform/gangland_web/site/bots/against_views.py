"""Two bots side by side, and the way there from a bot's page."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from gangland_web.base.formats import Form
from gangland_web.base.text import name_key
from gangland_web.models.bots import Bot
from gangland_web.queries.bot_figures import duration
from gangland_web.queries.comparison import SCORES, against
from gangland_web.queries.search import QUERY_CHARS, bots_of_game
from gangland_web.queries.tables import TableData
from gangland_web.site.requested import requested_seats
from gangland_web.site.responses import document, table_file
from gangland_web.web.caching import cached_page
from gangland_web.web.sessions import reading

pages = Blueprint("against", __name__)


@pages.get("/bots/<number:bot_id>/against/<number:other_id>")
def page(bot_id: int, other_id: int) -> Response:
    """Show two bots side by side at a table size."""
    with reading() as db:
        found, picture = against(db, bot_id, other_id, requested_seats())
    return cached_page(
        repr((found, picture)),
        lambda: render_template("against.html", found=found, picture=picture, duration=duration),
    )


@pages.get("/bots/<number:bot_id>/against/<number:other_id>.json")
def as_json(bot_id: int, other_id: int) -> Response:
    """Return the comparison as the API does; 304 when nothing has changed."""
    with reading() as db:
        return document("bot-against", against(db, bot_id, other_id, requested_seats())[0])


@pages.get("/bots/<number:bot_id>/against/<number:other_id>.csv")
def as_csv(bot_id: int, other_id: int) -> Response:
    """Hand out what came of their games, by seat."""
    with reading() as db:
        found = against(db, bot_id, other_id, requested_seats())[0]
    rows = TableData("bot-against-scores", "By seat", SCORES, found.scores)
    return table_file(rows, Form.CSV, f"bot-{bot_id}-against-{other_id}")


@pages.get("/bots/<number:bot_id>/against")
def choose(bot_id: int) -> Response | str:
    """Lead to the comparison with the bot whose name is given, or list the bots whose names are near."""
    query = request.args.get("with", "")[:QUERY_CHARS]
    with reading() as db:
        bot = db.get(Bot, bot_id)
        if bot is None:
            abort(404)
        found = [each for each in bots_of_game(db, bot.game, query) if each.id != bot_id]
    same = [each for each in found if name_key(each.name) == name_key(query)]
    if len(same) == 1:
        return redirect(url_for("against.page", bot_id=bot_id, other_id=same[0].id), 303)
    return render_template("against_choice.html", bot=bot, query=query, found=found)

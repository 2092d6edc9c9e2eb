"""Files of the tables on a bot's page: those at one table size, and those of all."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from gangland_web.core.table_formats import Form
from gangland_web.core.text import shown
from gangland_web.http.sessions import reading
from gangland_web.resources.bots.figures import SHEETS, Subject, figure, subject_of
from gangland_web.resources.bots.files import whole_sheet
from gangland_web.resources.bots.queries import bot_page, ratings_of
from gangland_web.resources.bots.tables import TABLES
from gangland_web.resources.ladders.queries import SEATS
from gangland_web.site.responses import sheet_file
from gangland_web.store.models.bots import Bot

pages = Blueprint("bot_figures", __name__)


@pages.get(f"/bots/<number:bot_id>/<any({','.join(SHEETS)}):what>.<any(csv,json):form>")
def table(bot_id: int, what: str, form: str) -> Response:
    """Hand out a table of a bot's page, at the table size that is asked for or where it has played most."""
    seats = asked_seats()
    with reading() as db:
        bot = db.get(Bot, bot_id)
        if bot is None:
            abort(404)
        subject: Subject | None = subject_of(bot, ratings_of(db, bot_id), seats)
        if subject is None:
            abort(404, "It has played no rated match there.")
        sheet = figure(db, subject, what).sheet
    return sheet_file(sheet, Form(form), f"bot-{bot_id}-{what}")


@pages.get(f"/bots/<number:bot_id>/<any({','.join(TABLES)}):what>.<any(csv,json):form>")
def whole_table(bot_id: int, what: str, form: str) -> Response:
    """Hand out a table of a bot's page that is about all table sizes."""
    with reading() as db:
        page = bot_page(db, bot_id)
        if page is None:
            abort(404)
        sheet = whole_sheet(db, page, what)
    return sheet_file(sheet, Form(form), f"bot-{bot_id}-{what}")


def asked_seats() -> int | None:
    """Return the table size that an address asks for, None if it asks for none; ends in 400 for what is none."""
    given = request.args.get("seats")
    if given is None:
        return None
    if given not in [str(size) for size in SEATS]:
        abort(400, f"seats must be 2, 3 or 4, not {shown(given, limit=20)!r}")
    return int(given)

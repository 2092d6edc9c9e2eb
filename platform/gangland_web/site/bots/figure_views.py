"""Files of the tables on a bot's page: those at one table size, and those of all."""

from __future__ import annotations

from flask import Blueprint, abort
from sqlmodel import Session

from gangland_web.models.bots import Bot
from gangland_web.queries.bot_figures import TABLES_AT_A_SIZE, figure, subject_of
from gangland_web.queries.bots import BOT_TABLES, bot_page, bot_table, ratings_of
from gangland_web.queries.tables import TableData
from gangland_web.site.requested import requested_seats
from gangland_web.site.responses import as_file

pages = Blueprint("bot_figures", __name__)


@pages.get(f"/bots/<number:bot_id>/<any({','.join(TABLES_AT_A_SIZE)}):what>.<any(csv,json):form>")
@as_file("bot-{bot_id}-{what}")
def table(db: Session, bot_id: int, what: str) -> TableData:
    """Hand out a table of a bot's page, at the table size that is asked for or where it has played most."""
    bot = db.get(Bot, bot_id)
    if bot is None:
        abort(404)
    subject = subject_of(bot, ratings_of(db, bot_id), requested_seats())
    if subject is None:
        abort(404, "It has played no rated match there.")
    return figure(db, subject, what).table


@pages.get(f"/bots/<number:bot_id>/<any({','.join(BOT_TABLES)}):what>.<any(csv,json):form>")
@as_file("bot-{bot_id}-{what}")
def whole_table(db: Session, bot_id: int, what: str) -> TableData:
    """Hand out a table of a bot's page that is about all table sizes."""
    page = bot_page(db, bot_id)
    if page is None:
        abort(404)
    return bot_table(db, page, what)

"""Files of the tables on a bot's page: those at one table size, and those of all."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, abort, request
from sqlmodel import Session

from gangland_web.core.table_formats import Form
from gangland_web.core.text import shown
from gangland_web.http.sessions import reading
from gangland_web.resources.bots.figures import SHEETS, Subject, figure, subject_of
from gangland_web.resources.bots.queries import BotPage, RatingRow, bot_page, ratings_of
from gangland_web.resources.bots.record import ranks_of
from gangland_web.resources.bots.tables import TABLES, errors_sheet, ratings_sheet, versions_sheet
from gangland_web.resources.matches.faults import FaultRow, recent_faults
from gangland_web.resources.tables import Sheet
from gangland_web.site.responses import sheet_file
from gangland_web.store.columns import stored
from gangland_web.store.models.bots import Bot

pages = Blueprint("bot_figures", __name__)

SIZES = (2, 3, 4)
ERRORS = 12
"""So many matches with a fault are listed."""


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


def whole_sheet(db: Session, page: BotPage, what: str) -> Sheet:
    """Return a table of a bot that is about all table sizes."""
    bot_id = stored(page.bot.id)
    if what == "versions":
        return versions_sheet(bot_id, page.versions)
    ratings = ratings_of(db, bot_id)
    if what == "ratings":
        return ratings_sheet(bot_id, ratings, ranks_of(db, [stored(row.entry.id) for row in ratings]))
    return errors_sheet(bot_id, latest_errors(db, page, ratings))


def latest_errors(db: Session, page: BotPage, ratings: Sequence[RatingRow]) -> list[FaultRow]:
    """Return the latest faults of the version that is on the ladders, or else of the newest that was."""
    newest = page.active.number if page.active else max((row.version for row in ratings), default=0)
    versions = {stored(row.entry.id): row.version for row in ratings if row.version == newest}
    return recent_faults(db, versions, matches=ERRORS)


def asked_seats() -> int | None:
    """Return the table size that an address asks for, None if it asks for none; ends in 400 for what is none."""
    given = request.args.get("seats")
    if given is None:
        return None
    if given not in [str(size) for size in SIZES]:
        abort(400, f"seats must be 2, 3 or 4, not {shown(given, limit=20)!r}")
    return int(given)

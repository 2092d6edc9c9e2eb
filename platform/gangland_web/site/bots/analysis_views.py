"""The page of what a bot's decisions cost it, and its files."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, render_template
from msgspec.structs import asdict
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.base.formats import Form
from gangland_web.models.bots import Bot
from gangland_web.queries.bot_analysis import (
    AnalysisChoice,
    BotAnalysis,
    ChosenVersion,
    NoSuchVersion,
    bot_analysis,
    chosen_version,
    comparison_table,
    page_tables,
    rows_table,
)
from gangland_web.site.requested import requested_number, requested_seats
from gangland_web.site.responses import document, table_file
from gangland_web.web.caching import cached_page
from gangland_web.web.requests import settings
from gangland_web.web.sessions import reading

pages = Blueprint("bot_analysis", __name__)


@pages.get("/bots/<number:bot_id>/analysis")
def page(bot_id: int) -> Response:
    """Show what a bot's decisions cost it, in whole and in parts."""
    choice = _choice()
    with reading() as db:
        chosen, found = _found(db, bot_id, choice)
    query = {name: value for name, value in asdict(choice).items() if value is not None}

    def make() -> str:
        return render_template(
            "bot_analysis.html",
            found=found,
            chosen=chosen,
            query=query,
            tables=page_tables(found, query),
            differences=None
            if found.compared is None or found.compared.comparison is None
            else comparison_table(found.compared.comparison),
        )

    return cached_page(repr((found, chosen)), make)


@pages.get("/bots/<number:bot_id>/analysis.json")
def as_json(bot_id: int) -> Response:
    """Return the analysis as the API does; 304 when nothing has changed."""
    with reading() as db:
        return document("bot-analysis", _found(db, bot_id, _choice())[1])


@pages.get("/bots/<number:bot_id>/analysis.csv")
def as_csv(bot_id: int) -> Response:
    """Hand out what the decisions of each sort cost."""
    with reading() as db:
        found = _found(db, bot_id, _choice())[1]
    return table_file(rows_table(found), Form.CSV, f"bot-{bot_id}-analysis")


def _choice() -> AnalysisChoice:
    """Return what the address asks for."""
    numbers: dict[str, Any] = {
        name: requested_number(name) for name in ("version", "opponent", "compare", "compare_bot")
    }
    seats: Any = requested_seats()
    return AnalysisChoice(seats=seats, **numbers)


def _found(db: Session, bot_id: int, choice: AnalysisChoice) -> tuple[ChosenVersion, BotAnalysis]:
    bot = db.get(Bot, bot_id)
    if bot is None:
        abort(404)
    try:
        chosen = chosen_version(db, bot, choice.seats, choice.version)
        return chosen, bot_analysis(db, chosen, choice, is_on=settings().analysis_workers > 0)
    except NoSuchVersion as nothing:
        abort(404, str(nothing))

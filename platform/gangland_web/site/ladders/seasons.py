"""The seasons of a ladder: the standings that each ended with, as a page and as files."""

from __future__ import annotations

from flask import Blueprint, render_template
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.base.formats import Form
from gangland_web.models.tournaments import Season, Tournament
from gangland_web.queries.ladders import found_ladder
from gangland_web.queries.seasons import Placed, found_season, placed_in, season_detail, season_table
from gangland_web.site.responses import document, table_file
from gangland_web.web.sessions import reading

pages = Blueprint("seasons", __name__, url_prefix="/ladders/<game>/<number:seats>/seasons")


@pages.get("/<number:number>")
def season(game: str, seats: int, number: int) -> str:
    """Show a season: its days, and its standings once they are fixed."""
    with reading() as db:
        ladder, found, placed = _found(db, game, seats, number)
        detail = season_detail(db, ladder, found, placed)
        table = season_table(ladder, found, placed)
    return render_template("season.html", game=game, seats=seats, season=detail, placed=placed, table=table)


@pages.get("/<number:number>.<any(csv,json):form>")
def season_file(game: str, seats: int, number: int, form: str) -> Response:
    """Hand out a season: all that the API says of it as JSON, the standings alone as CSV."""
    with reading() as db:
        ladder, found, placed = _found(db, game, seats, number)
        if form == Form.CSV:
            return table_file(season_table(ladder, found, placed), Form.CSV, f"{game}-{seats}-season-{number}")
        return document("ladder-season", season_detail(db, ladder, found, placed))


def _found(db: Session, game: str, seats: int, number: int) -> tuple[Tournament, Season, list[Placed]]:
    ladder = found_ladder(db, game, seats)
    found = found_season(db, ladder, number)
    return ladder, found, placed_in(db, found)

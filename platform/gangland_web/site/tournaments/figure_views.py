"""Files of the tables on a tournament's page."""

from __future__ import annotations

from flask import Blueprint, Response
from sqlmodel import Session

from gangland_web.core.table_formats import Form
from gangland_web.http.paging import next_page
from gangland_web.http.sessions import looker, reading
from gangland_web.resources.tables import Sheet
from gangland_web.resources.tournaments.figures import TABLES, schedule_sheet
from gangland_web.resources.tournaments.files import sheet_of
from gangland_web.resources.tournaments.queries import tables_of
from gangland_web.resources.tournaments.seen import found_tournament
from gangland_web.resources.visibility import results_seen
from gangland_web.site.responses import sheet_file
from gangland_web.site.tournaments.views import TABLES as PAGE
from gangland_web.site.tournaments.views import asked_number
from gangland_web.store.models.tournaments import Tournament

pages = Blueprint("cup_figures", __name__)


@pages.get(f"/tournaments/<number:tournament_id>/<any({','.join(TABLES)}):what>.<any(csv,json):form>")
def table(tournament_id: int, what: str, form: str) -> Response:
    """Hand out a table of a tournament's page, or of the page of its matches."""
    with reading() as db:
        sheet = _sheet(db, found_tournament(db, tournament_id, looker()), what)
    return sheet_file(sheet, Form(form), f"tournament-{tournament_id}-{what}")


def _sheet(db: Session, tournament: Tournament, what: str) -> Sheet:
    if what == "schedule":
        shown = results_seen(tournament, looker())
        after, entry = asked_number("after"), asked_number("entry")
        tables = tables_of(db, tournament, PAGE + 1, after=after or 0, entry=entry)
        beyond = next_page(after=tables[PAGE - 1].number if len(tables) > PAGE else None)
        return schedule_sheet(tournament, tables[:PAGE], results=shown, beyond=beyond, after=after, entry=entry)
    return sheet_of(db, tournament, what, looker())

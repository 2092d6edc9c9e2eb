"""Files of the tables on a tournament's page."""

from __future__ import annotations

from flask import Blueprint, Response, abort
from sqlmodel import Session

from gangland_web.core.table_formats import Form
from gangland_web.http.sessions import reading
from gangland_web.resources.tables import Sheet
from gangland_web.resources.tournaments.cross import cross_table, crossed, progress_of
from gangland_web.resources.tournaments.figures import (
    TABLES,
    amendments_sheet,
    cross_sheet,
    entries_sheet,
    progress_sheet,
    schedule_sheet,
    so_far_sheet,
)
from gangland_web.resources.tournaments.queries import amendments_of, entrants_of, pinned_of, tables_of
from gangland_web.resources.tournaments.so_far import so_far
from gangland_web.resources.visibility.tournaments import results_come_at_once, results_seen
from gangland_web.site.responses import sheet_file
from gangland_web.site.tournaments.views import TABLES as PAGE
from gangland_web.site.tournaments.views import asked_number, found_tournament
from gangland_web.store.models.tournaments import Tournament

pages = Blueprint("cup_figures", __name__)


@pages.get(f"/tournaments/<number:tournament_id>/<any({','.join(TABLES)}):what>.<any(csv,json):form>")
def table(tournament_id: int, what: str, form: str) -> Response:
    """Hand out a table of a tournament's page, or of the page of its matches."""
    with reading() as db:
        sheet = _sheet(db, found_tournament(db, tournament_id), what)
    return sheet_file(sheet, Form(form), f"tournament-{tournament_id}-{what}")


def _sheet(db: Session, tournament: Tournament, what: str) -> Sheet:
    if what == "schedule":
        shown = results_seen(tournament)
        after, entry = asked_number("after"), asked_number("entry")
        tables = tables_of(db, tournament, PAGE, after=after or 0, entry=entry)
        return schedule_sheet(tournament, tables, results=shown, after=after, entry=entry)
    return sheet_of(db, tournament, what)


def sheet_of(db: Session, tournament: Tournament, what: str) -> Sheet:
    """Return a table of a tournament, but that of its matches; ends in 404 where it has none."""
    shown, parts = results_seen(tournament), pinned_of(db, tournament)
    if what == "entries":
        return entries_sheet(tournament, parts or entrants_of(db, tournament), results=shown)
    if what == "interim":
        return so_far_sheet(tournament, so_far(db, tournament, parts, shown=shown))
    if what == "amendments":
        return amendments_sheet(tournament, amendments_of(db, tournament) if shown else [])
    if what == "progress":
        return progress_sheet(tournament, progress_of(db, tournament) if shown else [])
    if not results_come_at_once(tournament) or not crossed(tournament, len(parts)):
        abort(404, "There is no cross table: its results are not shown yet, or it is too large for one.")
    return cross_sheet(tournament, parts, cross_table(db, tournament) if shown else {})

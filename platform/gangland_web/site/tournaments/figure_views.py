"""Files of the tables on a tournament's page."""

from __future__ import annotations

from flask import Blueprint
from sqlmodel import Session

from gangland_web.queries.tables import TableData
from gangland_web.queries.tournament_tables import TOURNAMENT_TABLES, schedule_table, tournament_table
from gangland_web.queries.tournaments import found_tournament, tables_of
from gangland_web.queries.visibility import results_visible
from gangland_web.site.requested import requested_number
from gangland_web.site.responses import as_file
from gangland_web.site.tournaments.views import TABLES as PAGE
from gangland_web.web.address import next_page
from gangland_web.web.sessions import current_user

pages = Blueprint("tournament_figures", __name__)


@pages.get(f"/tournaments/<number:tournament_id>/<any({','.join(TOURNAMENT_TABLES)}):what>.<any(csv,json):form>")
@as_file("tournament-{tournament_id}-{what}")
def table(db: Session, tournament_id: int, what: str) -> TableData:
    """Hand out a table of a tournament's page, or of the page of its matches."""
    tournament = found_tournament(db, tournament_id, current_user())
    if what != "schedule":
        return tournament_table(db, tournament, what, current_user())
    after, entry = requested_number("after"), requested_number("entry")
    tables = tables_of(db, tournament, current_user(), PAGE + 1, after=after or 0, entry=entry)
    beyond = next_page(after=tables[PAGE - 1].number if len(tables) > PAGE else None)
    results = results_visible(tournament, current_user())
    return schedule_table(tournament, tables[:PAGE], results=results, beyond=beyond, after=after, entry=entry)

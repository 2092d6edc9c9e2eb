"""The tables of a tournament that it can be asked for by name."""

from __future__ import annotations

from sqlmodel import Session

from gangland_web.resources.tables import Sheet
from gangland_web.resources.tournaments.cross import cross_table, crossed, progress_of
from gangland_web.resources.tournaments.figures import (
    amendments_sheet,
    cross_sheet,
    entries_sheet,
    progress_sheet,
    so_far_sheet,
)
from gangland_web.resources.tournaments.queries import amendments_of, entrants_of, pinned_of
from gangland_web.resources.tournaments.so_far import so_far
from gangland_web.resources.visibility import Looker, NotVisible, results_come_at_once, results_seen
from gangland_web.store.models.tournaments import Tournament


def sheet_of(db: Session, tournament: Tournament, what: str, who: Looker | None) -> Sheet:
    """Return a table of a tournament, but that of its matches.  Raises NotVisible: it has none."""
    shown, parts = results_seen(tournament, who), pinned_of(db, tournament)
    if what == "entries":
        return entries_sheet(tournament, parts or entrants_of(db, tournament), results=shown)
    if what == "interim":
        return so_far_sheet(tournament, so_far(db, tournament, parts, shown=shown))
    if what == "amendments":
        return amendments_sheet(tournament, amendments_of(db, tournament) if shown else [])
    if what == "progress":
        return progress_sheet(tournament, progress_of(db, tournament) if shown else [])
    if not results_come_at_once(tournament, who) or not crossed(tournament, len(parts)):
        raise NotVisible("There is no cross table: its results are not shown yet, or it is too large for one.")
    return cross_sheet(tournament, parts, cross_table(db, tournament) if shown else {})

"""The tables of a bot that it can be asked for by name, and its latest faults."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session

from gangland_web.resources.bots.queries import BotPage, RatingRow, ratings_of
from gangland_web.resources.bots.record import ranks_of
from gangland_web.resources.bots.tables import errors_sheet, ratings_sheet, versions_sheet
from gangland_web.resources.matches.faults import FaultRow, recent_faults
from gangland_web.resources.tables import Sheet
from gangland_web.store.columns import stored

ERRORS = 12
"""So many matches with a fault are listed."""


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

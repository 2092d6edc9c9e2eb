"""What stands in the archives that are handed out: of tournaments whose results are shown, and of ladders' days."""

from __future__ import annotations

from sqlmodel import Session

from gangland_ladder.proof.archives.archive import Content
from gangland_web.base.clock import read_day
from gangland_web.base.text import shown
from gangland_web.resources.tournaments.visible import shown_tournament
from gangland_web.resources.visibility import CurrentUser, NotVisible
from gangland_web.services.archives import NotFrozen, content_of


def tournament_content(db: Session, tournament_id: int, who: CurrentUser | None) -> Content:
    """Return what is archived of a tournament.

    Raises:
        NotVisible: whoever looks may not see its results, or there are no frozen entries yet.
    """
    try:
        return content_of(db, shown_tournament(db, tournament_id, who))
    except NotFrozen as early:
        raise NotVisible(str(early)) from early


def day_number(text: str) -> int:
    """Return a day that people write as 2027-03-01.  Raises NotVisible: it is none."""
    day = read_day(text)
    if day is None:
        raise NotVisible(f"a day is written as 2027-03-01, not {shown(text, limit=20)!r}")
    return day

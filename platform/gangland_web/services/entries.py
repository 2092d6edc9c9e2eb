"""Entering versions in tournaments and taking them out again."""

from typing import Any

from sqlmodel import Session, col, select, update

from gangland_ladder.rating.trueskill import Rating
from gangland_web.base.clock import now_s
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchSeat
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.services.matches import void_waiting


def enter(session: Session, tournament: Tournament, version_id: int) -> Entry:
    """Return the version's entry in a tournament, of a ladder's current period; made if it has none."""
    query = select(Entry).where(Entry.tournament_id == tournament.id, Entry.version_id == version_id)
    entry = session.exec(query.where(Entry.period == tournament.period)).first()
    if entry is None:
        entry = new_entry(tournament, version_id)
        session.add(entry)
        session.flush()
    return entry


def new_entry(tournament: Tournament, version_id: int, **more: Any) -> Entry:
    """Return an entry with the rating that all begin with."""
    start = Rating()
    return Entry(
        tournament_id=stored(tournament.id),
        version_id=version_id,
        period=tournament.period,
        mu=start.mu,
        sigma=start.sigma,
        rating=start.shown,
        round_mu=start.mu,
        round_sigma=start.sigma,
        created_at=now_s(),
        **more,
    )


def withdraw(session: Session, version_id: int, reason: str, *, everywhere: bool = False) -> None:
    """Take a version out of its tournaments: its waiting matches are void, those under way still count.

    Args:
        everywhere: also from those that pinned it when they froze.
    """
    where = select(Tournament.id)
    if not everywhere:
        where = where.where(Tournament.kind != "tournament")
    theirs = [col(Entry.version_id) == version_id, col(Entry.tournament_id).in_(where)]
    session.exec(update(Entry).where(*theirs).values(active=False))
    seats = select(MatchSeat.match_id).join(Entry, col(Entry.id) == MatchSeat.entry_id).where(*theirs)
    void_waiting(session, reason, col(Match.id).in_(seats))

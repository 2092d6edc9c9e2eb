"""Tournaments and events by their numbers, for whoever may know of them."""

from __future__ import annotations

from sqlmodel import Session

from gangland_web.models.tournaments import Event, Tournament
from gangland_web.resources.tournaments.queries import tournaments_in
from gangland_web.resources.visibility import CurrentUser, NotVisible, is_visible, results_visible


def found_tournament(db: Session, tournament_id: int, who: CurrentUser | None) -> Tournament:
    """Return a tournament that whoever looks may know of.  Raises NotVisible."""
    found = db.get(Tournament, tournament_id)
    if found is None or found.kind != "tournament" or not is_visible(found, who):
        raise NotVisible
    return found


def shown_tournament(db: Session, tournament_id: int, who: CurrentUser | None) -> Tournament:
    """Return a tournament if whoever looks may see what it came to.  Raises NotVisible."""
    found = found_tournament(db, tournament_id, who)
    if not results_visible(found, who):
        raise NotVisible
    return found


def visible_event(db: Session, event_id: int, who: CurrentUser | None) -> tuple[Event, list[Tournament]]:
    """Return an event with those of its tournaments that whoever looks may know of.

    Raises:
        NotVisible: there is none.
    """
    found = db.get(Event, event_id)
    tournaments = visible_tournaments(db, event_id, who)
    if found is None or not tournaments:
        raise NotVisible
    return found, tournaments


def visible_tournaments(db: Session, event_id: int, who: CurrentUser | None) -> list[Tournament]:
    """Return those tournaments of an event that whoever looks may know of."""
    return [tournament for tournament in tournaments_in(db, event_id) if is_visible(tournament, who)]

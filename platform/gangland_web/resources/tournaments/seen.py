"""Tournaments and events by their numbers, for whoever may know of them."""

from __future__ import annotations

from sqlmodel import Session

from gangland_web.resources.tournaments.queries import tournaments_in
from gangland_web.resources.visibility import Looker, NotVisible, is_seen, results_seen
from gangland_web.store.models.tournaments import Event, Tournament


def found_tournament(db: Session, tournament_id: int, who: Looker | None) -> Tournament:
    """Return a tournament that whoever looks may know of.  Raises NotVisible."""
    found = db.get(Tournament, tournament_id)
    if found is None or found.kind != "tournament" or not is_seen(found, who):
        raise NotVisible
    return found


def shown_tournament(db: Session, tournament_id: int, who: Looker | None) -> Tournament:
    """Return a tournament if whoever looks may see what it came to.  Raises NotVisible."""
    found = found_tournament(db, tournament_id, who)
    if not results_seen(found, who):
        raise NotVisible
    return found


def seen_event(db: Session, event_id: int, who: Looker | None) -> tuple[Event, list[Tournament]]:
    """Return an event with those of its tournaments that whoever looks may know of.

    Raises:
        NotVisible: there is none.
    """
    found = db.get(Event, event_id)
    cups = seen_in(db, event_id, who)
    if found is None or not cups:
        raise NotVisible
    return found, cups


def seen_in(db: Session, event_id: int, who: Looker | None) -> list[Tournament]:
    """Return those tournaments of an event that whoever looks may know of."""
    return [cup for cup in tournaments_in(db, event_id) if is_seen(cup, who)]

"""Tournaments and events by their numbers, for whoever may do something to them."""

from __future__ import annotations

from sqlmodel import Session

from gangland_web.models.accounts import Act, Person, may
from gangland_web.models.tournaments import Event, Tournament
from gangland_web.resources.tournaments.queries import tournaments_in
from gangland_web.resources.visibility import NotVisible


def allowed(db: Session, act: Act, tournament_id: int, who: Person) -> Tournament:
    """Return a tournament if somebody may do this to it.  Raises NotVisible."""
    found = db.get(Tournament, tournament_id)
    if found is None or found.kind != "tournament" or not may(who, act, found):
        raise NotVisible
    return found


def allowed_event(db: Session, act: Act, event_id: int, who: Person) -> tuple[Event, list[Tournament]]:
    """Return an event with its tournaments if somebody may do this to all of them.  Raises NotVisible."""
    found, tournaments = db.get(Event, event_id), tournaments_in(db, event_id)
    if found is None or not tournaments or not all(may(who, act, tournament) for tournament in tournaments):
        raise NotVisible
    return found, tournaments

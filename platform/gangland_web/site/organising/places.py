"""Where a slip leads after the password: an organiser's events and tournaments whose entries are not frozen yet."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, select

from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Event, Tournament
from gangland_web.services.tournaments import BEFORE_FREEZE, is_code
from gangland_web.site.organising.handout import known_code
from gangland_web.web.address import printed


@dataclass(frozen=True, slots=True)
class Place:
    """An event, or a tournament of none.

    Attributes:
        value: what a form sends for it.
        address: of its page, as it is printed.
        join_codes: the hashes of its join codes; none if everybody may enter.
    """

    value: str
    name: str
    address: str
    join_codes: frozenset[str]
    code: str = ""
    """The join code, where it can be read and there is one only."""

    def takes(self, code: str) -> bool:
        """Tell whether bots are entered here with this join code."""
        return bool(self.join_codes) and all(is_code(code, each) for each in self.join_codes)


def places_of(db: Session, organiser_id: int) -> list[Place]:
    """Return where an organiser's people can enter bots now or later, the newest first."""
    chosen = select(Tournament, Event).outerjoin(Event, col(Event.id) == Tournament.event_id)
    chosen = chosen.where(Tournament.kind == "tournament", col(Tournament.rehearsal_of).is_(None))
    theirs = (Tournament.organiser_id == organiser_id, col(Tournament.state).in_(BEFORE_FREEZE))
    grouped: dict[str, tuple[str, str, list[Tournament]]] = {}
    for tournament, event in db.exec(chosen.where(*theirs).order_by(col(Tournament.id).desc())).all():
        if event is None:
            value, name = f"tournament-{tournament.id}", tournament.name
            address = printed("tournaments.tournament", tournament_id=stored(tournament.id))
        else:
            value, name = f"event-{event.id}", event.name
            address = printed("tournaments.event", event_id=stored(event.id))
        grouped.setdefault(value, (name, address, []))[2].append(tournament)
    return [
        Place(value, name, address, frozenset(filter(None, (each.join_code_hash for each in its))), known_code(its))
        for value, (name, address, its) in grouped.items()
    ]

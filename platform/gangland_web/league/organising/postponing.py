"""What a maintenance does to deadlines: entries that nobody could hand in then close later, by as long as it lasted."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from sqlmodel import Session, col, select

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.clock import now_s
from gangland_web.league.tournaments.public_values import announced_for
from gangland_web.models.columns import stored
from gangland_web.models.log import Actor, note_act
from gangland_web.models.tournaments import Tournament

_TAKES_ENTRIES = (State.ANNOUNCED.value, State.OPEN.value)


@dataclass(frozen=True, slots=True)
class PutOff:
    """A freeze that was put off, in Unix seconds."""

    tournament: int
    name: str
    before: float
    after: float


def put_off_missed(session: Session, actor: Actor, since: float) -> list[PutOff]:
    """Put off each freeze that came due since then, by the time that has gone by; return what was, by tournament.

    What comes after a freeze moves only as far as it has to, so as not to come before.  A freeze stays before the
    time at which a public value for the dice is published.
    """
    now = now_s()
    missed = select(Tournament).where(
        Tournament.kind == "tournament",
        col(Tournament.state).in_(_TAKES_ENTRIES),
        col(Tournament.freezes_at) >= since,
        col(Tournament.freezes_at) <= now,
    )
    done = []
    for tournament in session.exec(missed.order_by(col(Tournament.id)).with_for_update()).all():
        before = tournament.freezes_at or now
        after = max(before, min(before + now - since, _latest(tournament)))
        tournament.freezes_at = after
        for name in ("starts_at", "reveals_at"):
            later = getattr(tournament, name)
            if later is not None:
                setattr(tournament, name, max(later, after))
        session.add(tournament)
        why = "the site was under maintenance when entries were to close"
        note_act(
            session,
            actor,
            "deadlines postponed",
            tournament_id=tournament.id,
            subject=tournament.name,
            reason=why,
            before=before,
            after=after,
        )
        done.append(PutOff(stored(tournament.id), tournament.name, before, after))
    return done


def _latest(tournament: Tournament) -> float:
    """When its entries may close at the latest: a second before its public value is published."""
    announced = announced_for(tournament)
    return inf if announced is None else announced.published_s - 1

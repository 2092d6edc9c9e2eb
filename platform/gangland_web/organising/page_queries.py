"""What the console asks, each in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from gangland_ladder.lifecycle import MOVES, State
from gangland_web.accounts.models import User
from gangland_web.clock import now_s
from gangland_web.columns import stored
from gangland_web.matches.lifecycle import MatchState
from gangland_web.matches.models import Match
from gangland_web.organising.models import Directive
from gangland_web.tournaments.models import Entrant, Tournament
from gangland_web.tournaments.public_values import awaits_value

STUCK_S = 120.0
"""A match of a tournament that plays waits longer than most after so long."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A tournament as the console lists it."""

    tournament: Tournament
    organiser: str | None
    entrants: int


@dataclass(frozen=True, slots=True)
class Ordered:
    """A directive with who gave it and which match it is about."""

    directive: Directive
    by: str
    match_number: int | None


@dataclass(frozen=True, slots=True)
class Stuck:
    """A match that nobody finishes.

    Attributes:
        since: when it was sent out, else when it was scheduled, in Unix seconds.
    """

    match_id: int
    number: int
    state: str
    attempt: int
    since: float

    @property
    def waited_s(self) -> float:
        """How long it has waited, in seconds."""
        return max(0.0, now_s() - self.since)


def organised_by(db: Session, person_id: int | None, limit: int, *, before: int | None = None) -> list[Summary]:
    """Return a person's tournaments, all if None, the newest first; rehearsals among them."""
    entered = select(func.count()).select_from(Entrant).where(Entrant.tournament_id == Tournament.id)
    chosen = (
        select(Tournament, User.name, entered.scalar_subquery())
        .outerjoin(User, col(User.id) == Tournament.organiser_id)
        .where(Tournament.kind == "tournament")
    )
    if person_id is not None:
        chosen = chosen.where(Tournament.organiser_id == person_id)
    if before is not None:
        chosen = chosen.where(col(Tournament.id) < before)
    rows = db.exec(chosen.order_by(col(Tournament.id).desc()).limit(limit)).all()
    return [Summary(tournament, name, count) for tournament, name, count in rows]


def ordered_in(db: Session, tournament_id: int, limit: int) -> Sequence[Ordered]:
    """Return what was ordered in a tournament, the newest first."""
    chosen = (
        select(Directive, User.name, Match.number)
        .join(User, col(User.id) == Directive.ordered_by)
        .outerjoin(Match, col(Match.id) == Directive.match_id)
        .where(Directive.tournament_id == tournament_id)
    )
    rows = db.exec(chosen.order_by(col(Directive.id).desc()).limit(limit)).all()
    return [Ordered(directive, name, number) for directive, name, number in rows]


def stuck_in(db: Session, tournament: Tournament, limit: int = 20) -> list[Stuck]:
    """Return the matches of a tournament that plays and that nobody has finished for long, longest first."""
    if tournament.state != State.PLAYING.value:
        return []
    since = func.coalesce(Match.leased_at, Match.created_at)
    waiting = col(Match.state).in_([MatchState.SCHEDULED.value, MatchState.LEASED.value])
    chosen = select(Match, since).where(Match.tournament_id == tournament.id, waiting, since < now_s() - STUCK_S)
    rows = db.exec(chosen.order_by(since, col(Match.id)).limit(limit)).all()
    return [Stuck(stored(match.id), match.number, match.state, match.attempt, float(at)) for match, at in rows]


def moves_from(tournament: Tournament) -> list[State]:
    """Return the moves that an organiser may order; it is finished by itself when all is played.

    Play does not begin before the public value for the dice is there, if one was announced, and what was finished and
    is being settled is not cancelled.
    """
    never = {State.FINISHED, *((State.PLAYING,) if awaits_value(tournament) else ())}
    never |= {State.CANCELLED} if tournament.settle_round is not None else set()
    return [state for state in MOVES[State(tournament.state)] if state not in never]


def moves_of(cups: Sequence[Tournament]) -> list[State]:
    """Return the moves that at least one of several tournaments may make."""
    return [state for state in State if any(state in moves_from(cup) for cup in cups)]

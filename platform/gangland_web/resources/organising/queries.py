"""What the console asks, each in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session, col, func, select

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.clock import now_s, timestamp
from gangland_web.models.accounts import User
from gangland_web.models.matches import PENDING, Match
from gangland_web.models.tournaments import Directive, DirectiveKind, DirectiveState, Entrant, Tournament
from gangland_web.resources.fields import BASE, Count, Model, Moment, Number, Path, model_from
from gangland_web.resources.tournaments.models import TournamentSummary, tournament_summary
from gangland_web.resources.visibility import CurrentUser
from gangland_web.services.organising import moves_from

STUCK_S = 120.0
"""A match of a tournament that plays waits longer than most after so long."""


class OrganisedTournament(TournamentSummary):
    """A tournament with its organiser, and how many bots are entered."""

    organiser: str | None
    entrants: Count


class OrderDetail(Model):
    """An order: done, refused or still waiting for the record worker, and what came of it."""

    id: Number
    url: Path
    kind: DirectiveKind
    state: DirectiveState
    message: str
    reason: str
    details: dict[str, Any]
    match: int | None
    entry: int | None
    ordered_by: str
    ordered_at: Moment | None
    done_at: Moment | None

    @property
    def what(self) -> str:
        """Its kind, and to which state it leads."""
        return f"{self.kind} {self.details.get('state', '')}".strip()


class StuckMatch(Model):
    """A match that nobody finishes, since it was sent out or else since it was scheduled."""

    match: Number
    number: Number
    state: str
    attempt: Count
    since: Moment
    waited_s: float


def organised_by(
    db: Session, who: CurrentUser, viewer: CurrentUser | None, limit: int, *, before: int | None = None
) -> list[OrganisedTournament]:
    """Return the tournaments that somebody organises, all of an admin's, the newest first; rehearsals among them.

    Args:
        viewer: as whom they see results.
    """
    entered = select(func.count()).select_from(Entrant).where(Entrant.tournament_id == Tournament.id)
    chosen = (
        select(Tournament, User.name, entered.scalar_subquery())
        .outerjoin(User, col(User.id) == Tournament.organiser_id)
        .where(Tournament.kind == "tournament")
    )
    if not who.is_admin:
        chosen = chosen.where(Tournament.organiser_id == who.id)
    if before is not None:
        chosen = chosen.where(col(Tournament.id) < before)
    rows = db.exec(chosen.order_by(col(Tournament.id).desc()).limit(limit)).all()
    return [
        model_from(OrganisedTournament, tournament_summary(tournament, viewer), organiser=name, entrants=count)
        for tournament, name, count in rows
    ]


def ordered_in(db: Session, tournament_id: int, limit: int, *, only: int | None = None) -> list[OrderDetail]:
    """Return what was ordered in a tournament, the newest first; `only` the order of this number."""
    chosen = (
        select(Directive, User.name, Match.number)
        .join(User, col(User.id) == Directive.ordered_by)
        .outerjoin(Match, col(Match.id) == Directive.match_id)
        .where(Directive.tournament_id == tournament_id)
    )
    if only is not None:
        chosen = chosen.where(Directive.id == only)
    rows = db.exec(chosen.order_by(col(Directive.id).desc()).limit(limit)).all()
    return [order_detail(*row) for row in rows]


def order_detail(found: Directive, by: str, match: int | None) -> OrderDetail:
    """Return an order with the name of who gave it, and the number of the match that it is about."""
    url = f"{BASE}/organise/tournaments/{found.tournament_id}/orders/{found.id}"
    return model_from(OrderDetail, found, url=url, ordered_by=by, match=match, entry=found.entry_id)


def stuck_in(db: Session, tournament: Tournament, limit: int = 20) -> list[StuckMatch]:
    """Return the matches of a tournament that plays and that nobody has finished for long, longest first."""
    if tournament.state != State.PLAYING.value:
        return []
    now, since = now_s(), func.coalesce(Match.leased_at, Match.created_at)
    waiting = col(Match.state).in_(PENDING)
    chosen = select(Match, since).where(Match.tournament_id == tournament.id, waiting, since < now - STUCK_S)
    rows = db.exec(chosen.order_by(since, col(Match.id)).limit(limit)).all()
    return [
        model_from(StuckMatch, match, match=match.id, since=timestamp(at), waited_s=max(0.0, now - at))
        for match, at in rows
    ]


def moves_of(db: Session, tournaments: Sequence[Tournament]) -> list[State]:
    """Return the moves that at least one of several tournaments may make."""
    return [state for state in State if any(state in moves_from(db, tournament) for tournament in tournaments)]

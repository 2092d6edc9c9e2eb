"""What waits and what went wrong lately: a few statements, each off the index of the queue."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import case, literal, literal_column, select, union_all
from sqlmodel import Session, col, func

from gangland_ladder.tournaments.lifecycle import LEAST_STEP, State, may_record
from gangland_web.base.clock import DAY_S
from gangland_web.models.jobs import AnalysisState, GameAnalysis, RunAnalysis, TableAnalysis
from gangland_web.models.matches import ATTEMPTS, PENDING, Match, MatchState, Purpose
from gangland_web.models.tournaments import Tournament

LOOKED_AT = 50
"""Among so many of a purpose's latest void matches the platform's faults are looked for."""
INCIDENTS_MOST = 5
_STEP_S = 3600
_OF_TOURNAMENTS = (Purpose.TOURNAMENT, Purpose.AUDIT)


@dataclass(frozen=True, slots=True)
class Queue:
    """Matches of one purpose: how many wait, how many are given out, and since when the first of them waits."""

    purpose: str
    waiting: int
    playing: int
    since: float | None


@dataclass(frozen=True, slots=True)
class AnalysisQueue:
    """Games that are to be analyzed, that are being analyzed, and whose latest analysis ended without a result.

    One that failed and is tried again counts in both.
    """

    waiting: int
    leased: int
    failed: int


@dataclass(frozen=True, slots=True)
class Incident:
    """A ladder match that was begun as often as may be and came to nothing, which is nobody's fault but ours."""

    match_id: int
    reason: str
    at: float


def queues_of(db: Session) -> tuple[Queue, ...]:
    """Return the queues in the order in which they are served, counted exactly: for whoever runs the site."""
    counted: Any = {(row.state, row.purpose): row.count for row in db.connection().execute(_COUNTED)}
    since: Any = {row.purpose: row.created_at for row in db.connection().execute(_FIRST)}
    return tuple(
        Queue(
            purpose.value,
            counted.get((MatchState.SCHEDULED.value, purpose.value), 0),
            counted.get((MatchState.LEASED.value, purpose.value), 0),
            since.get(purpose.value),
        )
        for purpose in Purpose
    )


def shown_queues(db: Session, now: float) -> tuple[Queue, ...]:
    """Return the queues for everybody: while a tournament under embargo is played, some are in steps.

    Tournaments' matches and audits of matches are rounded up to `LEAST_STEP` and their times down to the hour, since
    neither the end of a match nor the pace of matches is to be seen then.
    """
    queues = queues_of(db)
    embargoed = col(Tournament.embargo_until) > now
    playing = col(Tournament.state).in_([state.value for state in State if may_record(state)])
    if db.connection().execute(select(col(Tournament.id)).where(embargoed, playing).limit(1)).first() is None:
        return queues
    return tuple(_in_steps(queue) if queue.purpose in _OF_TOURNAMENTS else queue for queue in queues)


def _in_steps(queue: Queue) -> Queue:
    waiting, playing = (-(-count // LEAST_STEP) * LEAST_STEP for count in (queue.waiting, queue.playing))
    since = None if queue.since is None else queue.since - queue.since % _STEP_S
    return replace(queue, waiting=waiting, playing=playing, since=since)


def incidents_of(db: Session, now: float, days: int = 7) -> tuple[Incident, ...]:
    """Return the latest platform faults of the last days, latest first."""
    found = db.connection().execute(_VOID).all()
    lately = [row for row in found if row.attempt >= ATTEMPTS and row.done_at >= now - days * DAY_S]
    return tuple(Incident(row.id, row.void_reason, row.done_at) for row in lately[:INCIDENTS_MOST])


def analysis_queue_of(db: Session) -> AnalysisQueue:
    """Return how many games are to be analyzed: of matches whose results everybody may see, of tables and of drafts."""
    rows: Any = db.connection().execute(_ANALYSES).all()
    waiting, leased = (sum(row.count for row in rows if row.state == state.value) for state in _NOT_DONE[:2])
    failed = sum(row.count for row in rows if row.state == AnalysisState.FAILED.value or row.ended > 0)
    return AnalysisQueue(waiting, leased, failed)


def _is(column: Any, value: str) -> Any:
    """Compare with a word that stands in the statement itself, so that its plan knows it."""
    return col(column) == literal_column(f"'{value}'")


def _analyses(model: type[GameAnalysis | TableAnalysis | RunAnalysis]) -> Any:
    """Count those that are not done by state and by how many attempts ended without a result."""
    state, ended = col(model.state), col(model.attempt) - case((col(model.begun_at).is_(None), 0), else_=1)
    rows = select(state, ended.label("ended"), func.count().label("count"))
    return rows.where(state.in_([each.value for each in _NOT_DONE])).group_by(state, "ended")


def _first(purpose: Purpose) -> Any:
    waiting = select(literal(purpose.value).label("purpose"), col(Match.created_at))
    waiting = waiting.where(_is(Match.state, MatchState.SCHEDULED), _is(Match.purpose, purpose))
    return select(waiting.order_by(col(Match.id)).limit(1).subquery())


_COUNTED = (
    select(col(Match.state), col(Match.purpose), func.count().label("count"))
    .where(col(Match.state).in_(PENDING))
    .group_by(col(Match.state), col(Match.purpose))
)
_NOT_DONE = (AnalysisState.WAITING, AnalysisState.LEASED, AnalysisState.FAILED)
_ANALYSES = union_all(*(_analyses(model) for model in (GameAnalysis, TableAnalysis, RunAnalysis)))
_FIRST = union_all(*(_first(purpose) for purpose in Purpose))
_VOID = (
    select(col(Match.id), col(Match.attempt), col(Match.void_reason), col(Match.done_at))
    .where(_is(Match.state, MatchState.VOID), _is(Match.purpose, Purpose.LADDER))
    .order_by(col(Match.id).desc())
    .limit(literal_column(str(LOOKED_AT)))
)

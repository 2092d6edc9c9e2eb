"""Sending games to be analysed: lease, commit, and only then send; and taking back what fell silent."""

from __future__ import annotations

import secrets
from typing import Any, Final, Protocol

from sqlalchemy import update
from sqlmodel import Session, col, func, select

from gangland_ladder.analysis.games import reference_version
from gangland_ladder.analysis.received import AnalysisOrder, GameOf
from gangland_ladder.common.release import this_release
from gangland_web.base.clock import now_s
from gangland_web.league.analyses.asking import QUEUE_ORDER, game_rows, why_not_analysed
from gangland_web.league.analyses.subjects import GAMES, SUBJECTS, Subject
from gangland_web.league.drafts.runs import setup_of as setup_of_run
from gangland_web.league.leases import has_ended
from gangland_web.league.playing.standings import setup_of
from gangland_web.models.columns import stored, table_of
from gangland_web.models.database import Database
from gangland_web.models.jobs import (
    ANALYSIS_ATTEMPTS,
    ANALYSIS_LEASE_S,
    AnalysisSeat,
    AnalysisState,
    DraftRun,
    GameAnalysis,
    PlayTable,
    RequestedBy,
    RunAnalysis,
    TableAnalysis,
)
from gangland_web.models.site import maintenance

TOKEN_BYTES: Final = 16
NEVER_ENDED: Final = f"It was begun {ANALYSIS_ATTEMPTS} times and never came to an end."
LEASE_OVER: Final[dict[str, Any]] = {"lease_token": None, "lease_until": None, "begun_at": None}


class AnalysisPost(Protocol):
    """What sending games to be analysed needs of the broker."""

    def send_analysis(self, order: AnalysisOrder) -> None:
        """Send an order to those who analyse games."""

    def analyses_waiting(self) -> int:
        """Return how many orders nobody has taken yet."""


def analysis_waits(database: Database) -> bool:
    """Whether a game waits to be sent."""
    with database.read() as session:
        return any(session.exec(each).first() is not None for each in _WAITING)


def send_analyses(database: Database, post: AnalysisPost, *, workers: int, cpu_s: float) -> int:
    """Send as many games as the workers can take at once; return how many.

    People's own games go first, then what they opened; both are sent to workers that analyse a sample, too: they give
    that back then.

    Args:
        cpu_s: after which a worker leaves the rest of a game out.
    """
    if not workers or not analysis_waits(database):
        return 0
    free = workers - post.analyses_waiting()
    with database.write() as session:
        if maintenance(session) is not None:
            return 0
        wanted, under_way = _under_way(session)
        orders = _leased_own(session, min(free, workers - wanted), cpu_s)
        orders += _leased(session, min(free, workers - wanted) - len(orders), cpu_s, RequestedBy.OPENED)
        orders += _leased(session, min(free, workers - under_way) - len(orders), cpu_s, RequestedBy.SAMPLE)
    for order in orders:
        post.send_analysis(order)
    return len(orders)


def _under_way(session: Session) -> tuple[int, int]:
    """Return how many games that somebody waits for are leased, and how many in all."""
    leased = select(GameAnalysis.requested_by, func.count()).where(GameAnalysis.state == AnalysisState.LEASED.value)
    counted = dict(session.exec(leased.group_by(col(GameAnalysis.requested_by))).all())
    own = sum(
        session.exec(select(func.count()).where(model.state == AnalysisState.LEASED.value)).one()
        for model in (TableAnalysis, RunAnalysis)
    )
    return counted.get(RequestedBy.OPENED.value, 0) + own, sum(counted.values()) + own


def _leased(session: Session, free: int, cpu_s: float, requested_by: RequestedBy) -> list[AnalysisOrder]:
    """Lease the next games of matches; one that not everybody may see any more is forgotten."""
    chosen = game_rows().where(
        GameAnalysis.state == AnalysisState.WAITING.value, GameAnalysis.requested_by == requested_by.value
    )
    orders: list[AnalysisOrder] = []
    for analysis, played, match, tournament in session.exec(chosen.order_by(*QUEUE_ORDER).limit(max(0, free))).all():
        if why_not_analysed(match, tournament) is not None:
            session.delete(analysis)
            continue
        order = _order(stored(played.id), played.replay, cpu_s, gives_way=requested_by is RequestedBy.SAMPLE)
        orders += [order] if _lease(session, GAMES, order) else []
    return orders


def _leased_own(session: Session, free: int, cpu_s: float) -> list[AnalysisOrder]:
    """Lease the next games of persons and of drafts, whoever asked first."""
    waiting: list[tuple[float, int, GameOf]] = []
    for of in (GameOf.TABLE, GameOf.DRAFT):
        model, key, _ = SUBJECTS[of]
        chosen = select(model.requested_at, key).where(model.state == AnalysisState.WAITING.value)
        found = session.exec(chosen.order_by(model.requested_at, key).limit(max(0, free))).all()
        waiting += [(requested_at, number, of) for requested_at, number in found]
    orders: list[AnalysisOrder] = []
    for _, number, of in sorted(waiting)[: max(0, free)]:
        recorded = SUBJECTS[of].find(session, number)
        if recorded is not None:
            order = _order(number, recorded.replay, cpu_s, of=of)
            orders += [order] if _lease(session, SUBJECTS[of], order) else []
    return orders


def _order(
    number: int, replay: str, cpu_s: float, *, gives_way: bool = False, of: GameOf = GameOf.MATCH
) -> AnalysisOrder:
    return AnalysisOrder(
        id=number,
        token=secrets.token_hex(TOKEN_BYTES),
        until=now_s() + ANALYSIS_LEASE_S,
        replay=replay,
        cpu_s=cpu_s,
        release=this_release(),
        gives_way=gives_way,
        of=of,
    )


def _lease(session: Session, subject: Subject, order: AnalysisOrder) -> bool:
    """Lease a game by a conditional update; False if somebody was faster."""
    its = (subject.key == order.id, subject.model.state == AnalysisState.WAITING.value)
    values = {
        "state": AnalysisState.LEASED.value,
        "lease_token": order.token,
        "lease_until": order.until,
        "begun_at": None,
        "failed_for": None,
    }
    leased = session.connection().execute(update(table_of(subject.model)).where(*its).values(**values))
    return bool(leased.rowcount == 1)


def sweep_analyses(database: Database) -> int:
    """Take back what fell silent, and return how many analyses that were; a begun one counts as an attempt."""
    now = now_s()
    silent = [
        select(model).where(
            model.state == AnalysisState.LEASED.value, has_ended(col(model.lease_until), now, ANALYSIS_LEASE_S)
        )
        for model, _, _ in SUBJECTS.values()
    ]
    with database.read() as session:
        if not any(session.exec(each.limit(1)).first() for each in silent):
            return 0
    with database.write() as session:
        ended = [analysis for each in silent for analysis in session.exec(each).all()]
        for analysis in ended:
            end_attempt(session, analysis, NEVER_ENDED)
    return len(ended)


def end_attempt(session: Session, analysis: GameAnalysis | TableAnalysis | RunAnalysis, reason: str) -> None:
    """End the lease of an analysis that came to nothing: it waits again, or has failed after the last attempt.

    Nothing that was known of it before stays then.
    """
    analysis.lease_token = analysis.lease_until = analysis.begun_at = None
    analysis.state = AnalysisState.WAITING.value
    if analysis.attempt >= ANALYSIS_ATTEMPTS:
        analysis.state, analysis.failed_for = AnalysisState.FAILED.value, reason
        analysis.course = analysis.figures = analysis.complete = None
        if isinstance(analysis, TableAnalysis):
            analysis.version = reference_version(setup_of(session.get_one(PlayTable, analysis.table_id)).game)
        elif isinstance(analysis, RunAnalysis):
            analysis.version = reference_version(setup_of_run(session.get_one(DraftRun, analysis.run_id)).game)
        else:
            tournament = session.exec(game_rows().where(GameAnalysis.game_id == analysis.game_id)).one()[3]
            analysis.version = reference_version(tournament.game)
            nothing = update(table_of(AnalysisSeat)).where(col(AnalysisSeat.game_id) == analysis.game_id)
            session.connection().execute(nothing.values(decisions=None, good=None, cost=None, costs=None))
    session.add(analysis)
    session.flush()


_WAITING: Final = [
    select(model).where(model.state == AnalysisState.WAITING.value).limit(1) for model, _, _ in SUBJECTS.values()
]

"""Sending games to be analysed: lease, commit, and only then send; and taking back what fell silent."""

from __future__ import annotations

import secrets
from typing import Any, Final, Protocol

from sqlalchemy import bindparam, update
from sqlmodel import Session, col, func, select

from gangland_ladder.analysis.games import reference_version
from gangland_ladder.analysis.received import AnalysisOrder
from gangland_ladder.common.release import this_release
from gangland_web.core.clock import now_s
from gangland_web.league.analyses.asking import QUEUE_ORDER, game_rows, why_not_analysed
from gangland_web.store.columns import stored, table_of
from gangland_web.store.database import Database
from gangland_web.store.lifecycles.analyses import ATTEMPTS, LEASE_S, AnalysisState, RequestedBy
from gangland_web.store.maintenance import maintenance
from gangland_web.store.models.analyses import AnalysisSeat, GameAnalysis

TOKEN_BYTES: Final = 16
NEVER_ENDED: Final = f"It was begun {ATTEMPTS} times and never came to an end."
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
        return session.exec(_WAITING.limit(1)).first() is not None


def send_analyses(database: Database, post: AnalysisPost, *, workers: int, cpu_s: float) -> int:
    """Send as many games as the workers can take at once; return how many.

    What people opened is sent to workers that analyse a sample, too: they give that back then.

    Args:
        cpu_s: after which a worker leaves the rest of a game out.
    """
    if not workers or not analysis_waits(database):
        return 0
    free = workers - post.analyses_waiting()
    with database.write() as session:
        if maintenance(session) is not None:
            return 0
        opened, under_way = _under_way(session)
        orders = _leased(session, min(free, workers - opened), cpu_s, RequestedBy.OPENED)
        free = min(free - len(orders), workers - under_way - len(orders))
        orders += _leased(session, free, cpu_s, RequestedBy.SAMPLE)
    for order in orders:
        post.send_analysis(order)
    return len(orders)


def _under_way(session: Session) -> tuple[int, int]:
    """Return how many games that people opened are leased, and how many in all."""
    leased = select(GameAnalysis.requested_by, func.count()).where(GameAnalysis.state == AnalysisState.LEASED.value)
    counted = dict(session.exec(leased.group_by(col(GameAnalysis.requested_by))).all())
    return counted.get(RequestedBy.OPENED.value, 0), sum(counted.values())


def _leased(session: Session, free: int, cpu_s: float, requested_by: RequestedBy) -> list[AnalysisOrder]:
    """Lease the next games of these; one that not everybody may see any more is forgotten."""
    chosen = game_rows().where(
        GameAnalysis.state == AnalysisState.WAITING.value, GameAnalysis.requested_by == requested_by.value
    )
    orders: list[AnalysisOrder] = []
    for analysis, played, match, tournament in session.exec(chosen.order_by(*QUEUE_ORDER).limit(max(0, free))).all():
        if why_not_analysed(match, tournament) is not None:
            session.delete(analysis)
            continue
        order = AnalysisOrder(
            id=stored(played.id),
            token=secrets.token_hex(TOKEN_BYTES),
            until=now_s() + LEASE_S,
            replay=played.replay,
            cpu_s=cpu_s,
            release=this_release(),
            gives_way=requested_by is RequestedBy.SAMPLE,
        )
        values = {"its_id": order.id, "lease_token": order.token, "lease_until": order.until}
        if session.connection().execute(_LEASE, values).rowcount == 1:
            orders.append(order)
    return orders


def sweep_analyses(database: Database) -> int:
    """Take back what fell silent, and return how many analyses that were; a begun one counts as an attempt."""
    now = now_s()
    until = col(GameAnalysis.lease_until)
    # A lease that lasts longer than one can was given by a clock that was set back since.
    over = select(GameAnalysis).where(
        GameAnalysis.state == AnalysisState.LEASED.value, (until < now) | (until > now + 2 * LEASE_S)
    )
    with database.read() as session:
        if session.exec(over.limit(1)).first() is None:
            return 0
    with database.write() as session:
        ended = session.exec(over).all()
        for analysis in ended:
            end_attempt(session, analysis, NEVER_ENDED)
    return len(ended)


def end_attempt(session: Session, analysis: GameAnalysis, reason: str) -> None:
    """End the lease of an analysis that came to nothing: it waits again, or has failed after the last attempt.

    Nothing that was known of it before stays then.
    """
    analysis.lease_token = analysis.lease_until = analysis.begun_at = None
    analysis.state = AnalysisState.WAITING.value
    if analysis.attempt >= ATTEMPTS:
        tournament = session.exec(game_rows().where(GameAnalysis.game_id == analysis.game_id)).one()[3]
        analysis.state, analysis.failed_for = AnalysisState.FAILED.value, reason
        analysis.course = analysis.figures = analysis.complete = None
        analysis.version = reference_version(tournament.game)
        nothing = update(table_of(AnalysisSeat)).where(col(AnalysisSeat.game_id) == analysis.game_id)
        session.connection().execute(nothing.values(decisions=None, good=None, cost=None, costs=None))
    session.add(analysis)
    session.flush()


_WAITING: Final = select(GameAnalysis.game_id).where(GameAnalysis.state == AnalysisState.WAITING.value)
_LEASE: Final = (
    update(table_of(GameAnalysis))
    .where(col(GameAnalysis.game_id) == bindparam("its_id"), col(GameAnalysis.state) == AnalysisState.WAITING.value)
    .values(
        state=AnalysisState.LEASED.value,
        lease_token=bindparam("lease_token"),
        lease_until=bindparam("lease_until"),
        begun_at=None,
        failed_for=None,
    )
)

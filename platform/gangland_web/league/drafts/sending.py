"""Sending runs of drafts: lease, commit, and only then send; and taking back what fell silent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from sqlalchemy import update
from sqlmodel import Session, col, delete, func, select

from gangland_ladder.matches.orders import Order
from gangland_web.broker.names import QUEUE_CHECKS, QUEUE_MATCHES, QUEUE_TRIALS
from gangland_web.core.clock import now_s
from gangland_web.league.dispatch.codes import CodePost, put_codes, sources_of
from gangland_web.league.dispatch.dispatch import quarter_of, waiting_of
from gangland_web.league.dispatch.senders import ensure_seal
from gangland_web.league.drafts.runs import code_of, order_of, setup_of
from gangland_web.league.hosts import playing_hosts
from gangland_web.league.leases import has_ended
from gangland_web.store.columns import stored, table_of
from gangland_web.store.database import Database
from gangland_web.store.lifecycles.draft_runs import (
    ATTEMPTS,
    KEPT_S,
    TAKEN_WITHIN_S,
    RunKind,
    RunState,
    order_id,
)
from gangland_web.store.lifecycles.matches import MatchState, Purpose
from gangland_web.store.maintenance import maintenance
from gangland_web.store.models.draft_runs import DraftRun
from gangland_web.store.models.hosts import WorkerHost
from gangland_web.store.models.matches import Match

NEVER_ENDED: Final = (
    f"The machine that plays began it {ATTEMPTS} times and never came to an end. This need not be your bot's fault:"
    " try again later."
)


class RunPost(CodePost, Protocol):
    """What sending runs needs of the broker."""

    def slots(self) -> Mapping[str, int]:
        """Return how many matches each host can play at a time now, by its name."""

    def send(self, host: str, queue: str, order: Order) -> None:
        """Send an order to a host's workers."""


def send_runs(database: Database, post: RunPost) -> int:
    """Send the runs that may be sent now, one a person at a time; return how many.

    They go before matches of ladders and after those of tournaments: where one of these waits, runs and matches of
    ladders together have a quarter of the slots, and a run lies behind the matches that were sent.
    """
    with database.read() as session:
        if session.exec(_waiting().limit(1)).first() is None:
            return 0
    slots = post.slots()
    with database.write() as session:
        hosts = [each for each in playing_hosts(session) if slots.get(each.name)]
        if not hosts or maintenance(session) is not None:
            return 0
        places = {stored(each.id): min(slots[each.name], each.slot_limit) for each in hosts}
        behind = session.exec(waiting_of(Purpose.TOURNAMENT).limit(1)).first() is not None
        sent = _leased(session, hosts, places, behind=behind)
        runs = [run for run, *_ in sent]
        codes = sources_of(session, {each.code for run in runs for each in setup_of(run).opponents})
    put_codes(post, codes | dict(map(code_of, runs)))
    for _, host, queue, order in sent:
        post.send(host, queue, order)
    return len(sent)


def _leased(
    session: Session, hosts: Sequence[WorkerHost], places: Mapping[int, int], *, behind: bool
) -> list[tuple[DraftRun, str, str, Order]]:
    """Lease the next runs; return each with its host, queue and order.

    Args:
        places: how many matches each host can play at a time, by its id.
        behind: whether a match of a tournament waits.
    """
    under_way = Counter(session.exec(select(DraftRun.host_id).where(DraftRun.state == RunState.LEASED.value)).all())
    room = sum(places.values()) - under_way.total()
    if behind:
        room = quarter_of(sum(places.values())) - under_way.total() - _ladder_matches(session)
    sent = []
    for run in _next_runs(session, room):
        host = min(hosts, key=lambda each: (under_way[each.id] / places[stored(each.id)], stored(each.id)))
        under_way[host.id] += 1
        if _lease(session, run, host):
            first = QUEUE_CHECKS if run.kind == RunKind.CHECK.value else QUEUE_TRIALS
            sent.append((run, host.name, QUEUE_MATCHES if behind else first, order_of(run)))
    return sent


def _waiting() -> Any:
    return select(DraftRun).where(DraftRun.state == RunState.WAITING.value).order_by(col(DraftRun.id))


def _next_runs(session: Session, room: int) -> Sequence[DraftRun]:
    """Return the oldest runs, of each person one at a time."""
    busy = select(DraftRun.user_id).where(DraftRun.state == RunState.LEASED.value)
    found: Sequence[DraftRun] = session.exec(_waiting().where(col(DraftRun.user_id).not_in(busy))).all()
    return list({run.user_id: run for run in reversed(found)}.values())[::-1][: max(0, room)]


def _ladder_matches(session: Session) -> int:
    its = (Match.state == MatchState.LEASED.value, Match.purpose == Purpose.LADDER.value)
    return session.exec(select(func.count()).select_from(Match).where(*its)).one()


def _lease(session: Session, run: DraftRun, host: WorkerHost) -> bool:
    """Lease a run by a conditional update; False if somebody was faster."""
    token = ensure_seal(session).token(order_id(stored(run.id)), stored(host.id))
    lease: dict[str, Any] = {"lease_token": token, "lease_until": now_s() + TAKEN_WITHIN_S, "host_id": host.id}
    its = (col(DraftRun.id) == run.id, col(DraftRun.state) == RunState.WAITING.value)
    done = session.connection().execute(
        update(table_of(DraftRun)).where(*its).values(state=RunState.LEASED.value, **lease)
    )
    session.refresh(run)
    return bool(done.rowcount == 1)


def sweep_runs(database: Database) -> int:
    """Take back leases that fell silent and drop what is old; return how many leases that were."""
    ended = has_ended(col(DraftRun.lease_until), now_s(), TAKEN_WITHIN_S)
    silent = select(DraftRun).where(DraftRun.state == RunState.LEASED.value, ended)
    old = col(DraftRun.created_at) < now_s() - KEPT_S
    with database.read() as session:
        if not any(session.exec(each.limit(1)).first() for each in (silent, select(DraftRun).where(old))):
            return 0
    with database.write() as session:
        taken = session.exec(silent).all()
        for run in taken:
            end_attempt(session, run, NEVER_ENDED)
        session.exec(delete(DraftRun).where(old))
    return len(taken)


def end_attempt(session: Session, run: DraftRun, why: str) -> None:
    """End a lease of which nothing came: the run waits again, or has failed after its last attempt."""
    run.state, run.lease_token, run.lease_until, run.begun_at = RunState.WAITING.value, None, None, None
    if run.attempt >= ATTEMPTS:
        run.state, run.failed_for, run.done_at = RunState.FAILED.value, why, now_s()
    session.add(run)
    session.flush()


def take_runs_back(session: Session) -> None:
    """Have every run that is under way wait again, whose workers are nobody's any more; that was no attempt."""
    for run in session.exec(select(DraftRun).where(DraftRun.state == RunState.LEASED.value)).all():
        run.attempt -= run.begun_at is not None
        end_attempt(session, run, NEVER_ENDED)

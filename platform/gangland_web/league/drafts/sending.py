"""Sending runs of drafts: lease, commit, and only then send; and taking back what fell silent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from sqlalchemy import update
from sqlmodel import Session, col, delete, func, select

from gangland_ladder.matches.orders import Order
from gangland_web.base.clock import now_s
from gangland_web.broker.names import QUEUE_DRAFT_CHECKS, QUEUE_MATCHES, QUEUE_TRIALS
from gangland_web.league.dispatch.codes import CodePost, put_codes, sources_of
from gangland_web.league.dispatch.dispatch import quarter_of, waiting_of
from gangland_web.league.dispatch.senders import ensure_seal
from gangland_web.league.drafts.runs import code_of, order_of, setup_of
from gangland_web.league.hosts import playing_hosts
from gangland_web.league.leases import has_ended
from gangland_web.models.columns import stored, table_of
from gangland_web.models.database import Database
from gangland_web.models.jobs import RUN_ATTEMPTS, RUN_KEPT_S, RUN_TAKEN_WITHIN_S, DraftRun, RunKind, RunState, order_id
from gangland_web.models.matches import Match, MatchState, Purpose, WorkerHost
from gangland_web.models.site import maintenance

NEVER_ENDED: Final = (
    f"The machine that plays began it {RUN_ATTEMPTS} times and never came to an end. This need not be your bot's fault:"
    " try again later."
)


class RunPost(CodePost, Protocol):
    """What sending runs needs of the broker."""

    def slots(self) -> Mapping[str, int]:
        """Return how many matches each host can play at a time now, by its name."""

    def checkers(self) -> Mapping[str, int]:
        """Return how many workers of each host take checks alone, by its name."""

    def send(self, host: str, queue: str, order: Order) -> None:
        """Send an order to a host's workers."""


def send_runs(database: Database, post: RunPost) -> int:
    """Send the runs that may be sent now, one a person at a time; return how many.

    They go before matches of ladders and after those of tournaments: where one of these waits, runs and matches of
    ladders together have a quarter of the slots, and a run lies behind the matches that were sent.  While anything
    rated or a trial waits, they take at most half of the slots; of one slot every other turn, behind what was sent.
    Checks have the checkers, too.  One address has half of what runs have.
    """
    with database.read() as session:
        if session.exec(_waiting().limit(1)).first() is None:
            return 0
    slots, checkers = post.slots(), post.checkers()
    with database.write() as session:
        hosts = [each for each in playing_hosts(session) if slots.get(each.name)]
        if not hosts or maintenance(session) is not None:
            return 0
        places = {stored(each.id): min(slots[each.name], each.slot_limit) for each in hosts}
        checking = sum(checkers.get(each.name, 0) for each in hosts)
        sent = _leased(session, hosts, places, checking)
        runs = [run for run, *_ in sent]
        codes = sources_of(session, {each.code for run in runs for each in setup_of(run).opponents})
    put_codes(post, codes | dict(map(code_of, runs)))
    for _, host, queue, order in sent:
        post.send(host, queue, order)
    return len(sent)


def _leased(
    session: Session, hosts: Sequence[WorkerHost], places: Mapping[int, int], checkers: int
) -> list[tuple[DraftRun, str, str, Order]]:
    """Lease the next runs; return each with its host, queue and order.

    Args:
        places: how many matches each host can play at a time, by its id.
        checkers: how many workers take checks alone.
    """
    slots = sum(places.values())
    under_way = session.exec(select(DraftRun).where(DraftRun.state == RunState.LEASED.value)).all()
    by_host = Counter(run.host_id for run in under_way)
    tournament, others = _waits(session, Purpose.TOURNAMENT), _waits(session, Purpose.LADDER, Purpose.TRIAL)
    room = max(1, slots // 2) if tournament or others else slots
    if tournament:
        room = min(room, quarter_of(slots) - _ladder_matches(session))
    sent = []
    for run in _next_runs(session, under_way, room, checkers):
        host = min(hosts, key=lambda each: (by_host[each.id] / places[stored(each.id)], stored(each.id)))
        by_host[host.id] += 1
        if _lease(session, run, host):
            is_check = run.kind == RunKind.CHECK.value
            behind = tournament or (others and slots == 1 and not (is_check and checkers))
            first = QUEUE_DRAFT_CHECKS if is_check else QUEUE_TRIALS
            sent.append((run, host.name, QUEUE_MATCHES if behind else first, order_of(run)))
    return sent


def _waits(session: Session, *purposes: Purpose) -> bool:
    """Return whether a match of these purposes waits: to be sent, or to be begun by a worker."""
    its = (Match.state == MatchState.LEASED.value, col(Match.begun_at).is_(None))
    sent = select(Match.id).where(*its, col(Match.purpose).in_([purpose.value for purpose in purposes]))
    waiting = (session.exec(waiting_of(purpose).limit(1)).first() for purpose in purposes)
    return any(waiting) or session.exec(sent.limit(1)).first() is not None


def _waiting() -> Any:
    return select(DraftRun).where(DraftRun.state == RunState.WAITING.value).order_by(col(DraftRun.id))


def _next_runs(session: Session, under_way: Sequence[DraftRun], room: int, checkers: int) -> Sequence[DraftRun]:
    """Return the oldest runs, of each person one at a time, and of each address at most half of the room.

    Args:
        under_way: runs that are leased.
        room: how many slots runs may take; checkers: how many workers take checks alone.
    """
    people = {run.user_id for run in under_way}
    addresses = Counter(setup_of(run).address for run in under_way)
    taken, chosen = len(under_way), []
    for run in session.exec(_waiting()):
        free = room + checkers if run.kind == RunKind.CHECK.value else room
        address = setup_of(run).address
        if run.user_id in people or taken >= free or (address and addresses[address] >= max(1, free // 2)):
            continue
        people.add(run.user_id)
        addresses[address] += 1
        taken += 1
        chosen.append(run)
    return chosen


def _ladder_matches(session: Session) -> int:
    its = (Match.state == MatchState.LEASED.value, Match.purpose == Purpose.LADDER.value)
    return session.exec(select(func.count()).select_from(Match).where(*its)).one()


def _lease(session: Session, run: DraftRun, host: WorkerHost) -> bool:
    """Lease a run by a conditional update; False if somebody was faster."""
    token = ensure_seal(session).token(order_id(stored(run.id)), stored(host.id))
    lease: dict[str, Any] = {"lease_token": token, "lease_until": now_s() + RUN_TAKEN_WITHIN_S, "host_id": host.id}
    its = (col(DraftRun.id) == run.id, col(DraftRun.state) == RunState.WAITING.value)
    done = session.connection().execute(
        update(table_of(DraftRun)).where(*its).values(state=RunState.LEASED.value, **lease)
    )
    session.refresh(run)
    return bool(done.rowcount == 1)


def sweep_runs(database: Database) -> int:
    """Take back leases that fell silent and drop what is old; return how many leases that were."""
    ended = has_ended(col(DraftRun.lease_until), now_s(), RUN_TAKEN_WITHIN_S)
    silent = select(DraftRun).where(DraftRun.state == RunState.LEASED.value, ended)
    old = col(DraftRun.created_at) < now_s() - RUN_KEPT_S
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
    if run.attempt >= RUN_ATTEMPTS:
        run.state, run.failed_for, run.done_at = RunState.FAILED.value, why, now_s()
    session.add(run)
    session.flush()


def take_runs_back(session: Session) -> None:
    """Have every run that is under way wait again, whose workers are nobody's any more; that was no attempt."""
    for run in session.exec(select(DraftRun).where(DraftRun.state == RunState.LEASED.value)).all():
        run.attempt -= run.begun_at is not None
        end_attempt(session, run, NEVER_ENDED)

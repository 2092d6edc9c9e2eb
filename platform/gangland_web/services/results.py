"""Results of matches: recorded as workers send them, acted on, and swept for what went silent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import ColumnElement, Update, and_, bindparam, false, or_
from sqlmodel import Session, col, func, select, update

from gangland_ladder.common.runtime import this_python, this_release
from gangland_ladder.matches.judging import Judged, ResultRefused, judge, match_digest
from gangland_ladder.matches.match_orders import CheckReport, Claim, Order, Result, decode_claim, decode_result, encode
from gangland_sandbox.limits import Limits
from gangland_web.base.formats import now_s
from gangland_web.models.bots import Version
from gangland_web.models.columns import stored, table_of
from gangland_web.models.database import Database
from gangland_web.models.jobs import run_of
from gangland_web.models.matches import RATED, SILENCE_S, Match, MatchState, Purpose, ResultVerdict, WorkerHost
from gangland_web.models.tournaments import Tournament, hold_versions
from gangland_web.services.audits import compare_play, draw_audit
from gangland_web.services.dispatch import LEASE_MARGIN_S, SentOrders, build_order
from gangland_web.services.draft_runs import beat_run, begin_run, record_run, return_run
from gangland_web.services.ladder_queue import charge
from gangland_web.services.matches import (
    NOT_PASSED,
    RESULT_CAME,
    charge_broken,
    end_lease,
    keep_games,
    keep_scores,
    make_void,
)
from gangland_web.services.ratings import update_ratings
from gangland_web.services.trials import CHECK_STAGES, match_ended_void, plan_next, trial_checked, trial_played
from gangland_web.services.worker_hosts import playing_hosts

# Recording: the only writer of results. What workers send is input from strangers.
#
# Orders of draft runs differ from those of matches by their numbers, and go to `services.draft_runs`.


@dataclass(frozen=True, slots=True)
class Recorded:
    """A verdict on a result, with its match and a sentence for the log.

    Attributes:
        rated: whether it counted as a rated match.
        match: the match as it is now, if the result answered its lease.
        result: what was counted, if it was.
        order: the one that the result answers, if it was looked for and found.
    """

    verdict: ResultVerdict
    match_id: int | None
    why: str = ""
    rated: bool = False
    match: Match | None = None
    result: Result | None = None
    order: Order | None = None


def record_begun(database: Database, match_id: int, token: str) -> bool:
    """Count an attempt, once a token.  False if the lease has ended or had begun before."""
    if (run_id := run_of(match_id)) is not None:
        return begin_run(database, run_id, token)
    now = now_s()
    with database.write() as session:
        return _touch(session, _BEGIN, match_id, token, {"begun_at": now, "beat_at": now})


def record_beat(database: Database, match_id: int, token: str) -> bool:
    """Note that the match is still being played.  False if its lease has ended."""
    if (run_id := run_of(match_id)) is not None:
        return beat_run(database, run_id, token)
    with database.write() as session:
        return _touch(session, _BEAT, match_id, token, {"beat_at": now_s()})


def record_returned(database: Database, match_id: int, token: str) -> bool:
    """Take a match back that its worker could not finish; no attempt is counted.  False if its lease has ended."""
    if (run_id := run_of(match_id)) is not None:
        return return_run(database, run_id, token)
    with database.write() as session:
        return _taken_back(session, Claim(match_id, token))


def record_result(database: Database, text: str, sent: SentOrders | None = None, *, audit_percent: int = 0) -> Recorded:
    """Record a result: decode it strictly, replay its games, and count it once, in one transaction.

    Args:
        sent: orders that this process sent; others are built from their rows again.
        audit_percent: the share of rated matches to audit, if their tournament has none of its own.
    """
    try:
        result = decode_result(text)
    except ValueError as error:
        claim = decode_claim(text)
        if claim is None:
            return Recorded(ResultVerdict.REFUSED, None, str(error))
        if claim.release not in ("", this_release()):
            return _give_back(database, claim)
        return _record_refused(database, claim, str(error))
    if result.release != this_release():
        return _give_back(database, result)
    if (run_id := run_of(result.id)) is not None:
        verdict, why = record_run(database, run_id, result)
        return Recorded(verdict, result.id, why)
    order = (sent.take(result.id, result.token) if sent is not None else None) or _order_of(database, result)
    if order is None:
        return Recorded(ResultVerdict.STALE, result.id)
    return replace(_record_answer(database, order, result, audit_percent), order=order)


def _record_answer(database: Database, order: Order, result: Result, audit_percent: int) -> Recorded:
    """Record a decoded result to a known order."""
    if result.void is not None or (result.check is not None and result.check.problems):
        return _record_unplayed(database, result)
    try:
        _need_check(order, result)
        judged = None if order.check_only else judge(order, result)
    except ResultRefused as error:
        return _record_refused(database, result, str(error))
    if judged is None:
        return _record_checked(database, result)
    return _record_judged(database, order, result, judged, audit_percent)


def _need_check(order: Order, result: Result) -> None:
    """Check that the ordered check was made: all stages, or the import if it is a short one.  Raises ResultRefused."""
    passed = set(result.check.stages) if result.check is not None else set()
    needed = CHECK_STAGES[:1] if order.check_only else CHECK_STAGES
    if order.check is not None and not passed.issuperset(needed):
        raise ResultRefused(f"match {order.id} was ordered with a check, of which {sorted(passed)} came")
    if order.check_only and result.games:
        raise ResultRefused(f"match {order.id} is a check alone, and {len(result.games)} games came with it")


def _record_checked(database: Database, result: Result) -> Recorded:
    """Record a check that found nothing: the trials of the version come next."""
    done = _done_values(result, cpu_s=None, digest=sha256(encode(result)).hexdigest(), python=this_python())
    with database.write() as session:
        hold_versions(session)
        if not _touch(session, _END, result.id, result.token, done):
            return Recorded(ResultVerdict.STALE, result.id)
        match = session.get_one(Match, result.id)
        if result.check is not None:
            trial_checked(session, match, result.check)
        plan_next(session, session.get_one(Version, match.trial_version_id))
    return Recorded(ResultVerdict.RECORDED, result.id, match=match, result=result)


def _record_judged(database: Database, order: Order, result: Result, judged: Judged, audit_percent: int) -> Recorded:
    cpu_s = _cpu_s(order, result)
    done = _done_values(result, cpu_s=cpu_s, digest=match_digest(order, judged), python=this_python())
    with database.write() as session:
        hold_versions(session)
        if not _touch(session, _END, result.id, result.token, done):
            return Recorded(ResultVerdict.STALE, result.id)
        match, tournament = session.exec(_PLAYED, params={"its_id": result.id}).one()
        charge(session, match, cpu_s)
        if match.audit_of is not None:
            if compare_play(session, match, order, judged):
                keep_games(session, result.id, judged)
            return Recorded(ResultVerdict.RECORDED, result.id, match=match)
        keep_games(session, result.id, judged)
        keep_scores(session, result.id, judged, result.think)
        _after_play(session, match, tournament, judged, result.check, audit_percent)
    return Recorded(ResultVerdict.RECORDED, result.id, rated=match.purpose in RATED, match=match, result=result)


def _done_values(result: Result, **values: object) -> dict[str, object]:
    """Return the columns of a match whose result has come."""
    seconds = min(max(result.seconds, 0.0), 1e6)
    return {**RESULT_CAME, "state": MatchState.DONE.value, "done_at": now_s(), "seconds": seconds, **values}


def _cpu_s(order: Order, result: Result) -> float:
    """Return the CPU time of a match as its worker reported it, at most what is possible.

    Referee and bots share a core, so they cannot have used more than the time since the match was sent.  If the worker
    reported none, it is the time that the match was played.
    """
    most_s = Limits.from_dict(order.limits).match_lasts_s(len(order.seats))
    passed_s = now_s() - (order.until - most_s - LEASE_MARGIN_S)
    return max(min(result.match_cpu_s or result.seconds, most_s, passed_s), 0.0)


def _record_unplayed(database: Database, result: Result) -> Recorded:
    """Record a match without a result: a bot on trial failed its check, or the platform failed."""
    with database.write() as session:
        hold_versions(session)
        match = _leased(session, result)
        if match is None:
            return Recorded(ResultVerdict.STALE, result.id)
        failed_check = result.check is not None and match.trial_version_id is not None
        if failed_check and result.check is not None and not trial_checked(session, match, result.check):
            make_void(session, match, NOT_PASSED)
        else:
            end_lease(session, match, f"platform fault: {result.void}")
        after_void(session, [match])
    return Recorded(ResultVerdict.VOID, result.id, result.void or "the check found problems", match=match)


def _record_refused(database: Database, result: Result | Claim, why: str) -> Recorded:
    with database.write() as session:
        hold_versions(session)
        match = _leased(session, result)
        if match is None:
            return Recorded(ResultVerdict.STALE, result.id)
        if end_lease(session, match, f"its result was refused: {why}"):
            after_void(session, [match])
    return Recorded(ResultVerdict.REFUSED, result.id, why, match=match)


def _give_back(database: Database, result: Result | Claim) -> Recorded:
    """Refuse the result of a worker of another release; the match is played again, and no attempt is counted."""
    with database.write() as session:
        if not _taken_back(session, result):
            return Recorded(ResultVerdict.STALE, result.id)
    return Recorded(
        ResultVerdict.OTHER_RELEASE,
        result.id,
        f"its worker is {result.release}, the site {this_release()}: restart it on this",
    )


def _taken_back(session: Session, result: Result | Claim) -> bool:
    hold_versions(session)
    match = _leased(session, result)
    if match is None or not take_back(session, match):
        return False
    after_void(session, [match])
    return True


def _order_of(database: Database, result: Result) -> Order | None:
    """Return the order that a result answers, built from its rows; None if its lease has ended."""
    with database.read() as session:
        match = _leased(session, result)
        return None if match is None else build_order(session, match, session.get_one(Tournament, match.tournament_id))


def _leased(session: Session, result: Result | Claim) -> Match | None:
    """Return the match whose lease the result answers; None if that lease has ended."""
    query = select(Match).where(Match.id == result.id, Match.state == MatchState.LEASED.value)
    return session.exec(query.where(Match.lease_token == result.token)).first()


def _touch(session: Session, statement: Update, match_id: int, token: str, values: Mapping[str, object]) -> bool:
    """Update a match if its lease holds; return whether it did.

    So a result counts once: a second delivery, or a worker whose lease has ended, finds no row.
    """
    done = session.connection().execute(statement, {"its_id": match_id, "its_token": token, **values})
    return done.rowcount == 1


_PLAYED: Final = (
    select(Match, Tournament)
    .join(Tournament, col(Tournament.id) == Match.tournament_id)
    .where(col(Match.id) == bindparam("its_id"))
)
_HELD: Final = (
    col(Match.id) == bindparam("its_id"),
    col(Match.state) == MatchState.LEASED.value,
    col(Match.lease_token) == bindparam("its_token"),
)


def _update(*more: ColumnElement[bool], **values: ColumnElement[Any]) -> Update:
    return update(table_of(Match)).where(*_HELD, *more).values(values)


_BEGIN: Final = _update(
    col(Match.begun_at).is_(None),
    begun_at=bindparam("begun_at"),
    beat_at=bindparam("beat_at"),
    attempt=col(Match.attempt) + 1,
)
_BEAT: Final = _update(col(Match.begun_at).is_not(None), beat_at=bindparam("beat_at"))
_END: Final = _update(
    **{name: bindparam(name) for name in (*RESULT_CAME, "state", "done_at", "seconds", "digest", "python", "cpu_s")}
)


# What follows the end of a match: trials, quarantine, audits, ratings.
#
# It runs in the transaction that ended the match; the caller holds the versions.


def _after_play(
    session: Session,
    match: Match,
    tournament: Tournament,
    judged: Judged,
    check: CheckReport | None,
    audit_percent: int,
) -> None:
    """Act on a played match whose result is written: trial, audit and ratings."""
    if match.trial_version_id is not None:
        if check is not None:
            trial_checked(session, match, check)
        trial_played(session, match, judged)
    if match.purpose in RATED:
        draw_audit(session, tournament, match, audit_percent)
    update_ratings(session, tournament)


def after_void(session: Session, ended: Iterable[Match]) -> None:
    """Act on matches whose leases have ended and that are void by it: trial, quarantine and ratings."""
    for match in ended:
        if match.state == MatchState.VOID.value:
            match_ended_void(session, match)
            update_ratings(session, session.get_one(Tournament, match.tournament_id))


# The sweep: silent leases end; nothing that was scheduled is forgotten.


def sweep(database: Database, *, waiting: Mapping[str, int], absent: Collection[str] = ()) -> list[Match]:
    """Take back the matches whose workers fell silent, and return them.

    Args:
        waiting: how many orders on the broker no worker of a host has taken, by its name; if none, a lease that was
            sent a while ago and never begun has lost its message.
        absent: hosts without a worker while other hosts have some; their orders do not wait.
    """
    with database.write() as session:
        hold_versions(session)
        hosts = playing_hosts(session)
        ended = [match for match in _leased_to_others(session, hosts) if take_back(session, match)]
        untaken = {stored(host.id): 0 if host.name in absent else waiting.get(host.name, 0) for host in hosts}
        ended += [match for match in _silent(session, untaken) if _end_silent(session, match)]
        after_void(session, ended)
    return ended


def take_all_back(session: Session) -> int:
    """Take back every match that is under way, as its workers are gone, and return how many.

    No attempt is counted: it was not the match that ended it.
    """
    hold_versions(session)
    held = session.exec(select(Match).where(Match.state == MatchState.LEASED.value).order_by(col(Match.id))).all()
    ended = [match for match in held if take_back(session, match)]
    after_void(session, ended)
    return len(ended)


def take_back(session: Session, match: Match) -> bool:
    """Take back a match that the site cut off, without counting the attempt; False if its lease had ended."""
    if match.begun_at is not None:
        charge_broken(session, match)
        match.attempt -= 1
        match.begun_at = match.beat_at = None
        session.add(match)
        session.flush()
    return end_lease(session, match, "it was stopped and queued again")


def _leased_to_others(session: Session, hosts: Sequence[WorkerHost]) -> list[Match]:
    """Return the matches leased to hosts that may not play any more: they were revoked or stopped."""
    others = or_(col(Match.host_id).is_(None), col(Match.host_id).not_in([host.id for host in hosts]))
    query = select(Match).where(Match.state == MatchState.LEASED.value, others)
    return list(session.exec(query.order_by(col(Match.id))).all())


def _silent(session: Session, waiting: Mapping[int, int]) -> list[Match]:
    now = now_s()
    gone = [col(Match.lease_until) < now, _long_ago(Match.beat_at, now)]
    waits = col(Match.begun_at).is_(None)
    for host_id, orders in waiting.items():
        theirs = waits & (col(Match.host_id) == host_id)
        if orders == 0:
            gone.append(theirs & _long_ago(Match.leased_at, now))
        else:
            gone.append(theirs & (col(Match.leased_at) > now + SILENCE_S))
            gone += [theirs & _overtaken(session, host_id, purpose, now) for purpose in Purpose]
    query = select(Match).where(Match.state == MatchState.LEASED.value, or_(*gone))
    return list(session.exec(query.order_by(col(Match.id))).all())


def _long_ago(moment: float | None, now: float) -> ColumnElement[bool]:
    """Whether a moment is too long ago, or ahead: then the clock was set back, and its age is unknown."""
    return or_(col(moment) < now - SILENCE_S, col(moment) > now + SILENCE_S)


def _overtaken(session: Session, host_id: int, purpose: Purpose, now: float) -> ColumnElement[bool]:
    """Whether an order was sent before one that was taken a while ago: a queue is first in, first out."""
    waiting = select(func.min(Match.leased_at)).where(
        Match.state == MatchState.LEASED.value, Match.purpose == purpose.value, col(Match.begun_at).is_(None)
    )
    waiting = waiting.where(Match.host_id == host_id)
    oldest = session.exec(waiting).one()
    if oldest is None:
        return false()
    taken = _last_taken(session, host_id, purpose, oldest, now)
    return and_(col(Match.purpose) == purpose.value, col(Match.leased_at) < taken)


def _last_taken(session: Session, host_id: int, purpose: Purpose, oldest: float, now: float) -> float:
    """Return when the latest of the orders was sent that were surely taken a while ago; `oldest` if none was."""
    latest = [oldest]
    for state, taken_at in ((MatchState.LEASED, Match.begun_at), (MatchState.DONE, Match.done_at)):
        sent = select(func.max(Match.leased_at)).where(Match.state == state.value, Match.purpose == purpose.value)
        sent = sent.where(Match.host_id == host_id)
        # An order that was taken before it was sent only shows that the clock was set back.
        taken = and_(col(taken_at) < now - SILENCE_S, col(taken_at) >= col(Match.leased_at))
        latest.append(session.exec(sent.where(col(Match.leased_at) > oldest, taken)).one() or oldest)
    return max(latest)


def _end_silent(session: Session, match: Match) -> bool:
    if match.begun_at is None:
        return end_lease(session, match, "the worker did not start it")
    return end_lease(session, match, f"the worker fell silent for {SILENCE_S:.0f} s")

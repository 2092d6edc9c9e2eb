"""Results of matches: the kinds of jobs for matches, and the effects of their results and failures."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Raw
from sqlalchemy import bindparam
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col, select, update

from gangland_ladder.common.release import this_python
from gangland_ladder.matches.judging import JudgedMatch, judge, match_digest
from gangland_ladder.matches.judging import ResultRefused as Unjudged
from gangland_ladder.matches.match_jobs import MatchJob, Result, decode_result, encode
from gangland_sandbox.limits import Limits
from gangland_web.base.formats import now_s
from gangland_web.broker.names import QUEUE_CHECKS, QUEUE_MATCHES, QUEUE_TRIALS
from gangland_web.models.bots import Version
from gangland_web.models.columns import row_id, table_of
from gangland_web.models.jobs import Job
from gangland_web.models.matches import RATED, Audit, Match, MatchState, Purpose
from gangland_web.models.tournaments import Tournament
from gangland_web.services import audits, ladder_queue, match_jobs, matches, ratings, trials
from gangland_web.services.jobs import JobFailed, JobGone, Kind, ResultRefused, find_job, register

# Match jobs.


LEASE_MARGIN_S: Final = 120.0
_SENT: Final = match_jobs.SentMatchJobs()


def _match_of(session: Session, job: Job, state: MatchState) -> Match:
    match = session.get(Match, job.subject)
    if match is None or match.state != state.value:
        raise JobGone
    return match


def _match_job(session: Session, job: Job) -> MatchJob:
    """Return the match job of a match whose job was just leased, and mark the match as leased."""
    match = _match_of(session, job, MatchState.SCHEDULED)
    match.rating_order = ladder_queue.next_order(session, match)
    match.state, match.host_id, match.sent_at = MatchState.LEASED.value, job.host_id, job.leased_at
    session.add(match)
    session.flush()
    ladder_queue.record_order(session, match, match.rating_order)
    match_job = match_jobs.build_match_job(session, match, session.get_one(Tournament, match.tournament_id))
    _SENT.add(job.token or "", match_job)
    return match_job


def _lease_s(session: Session, job: Job) -> float:
    source, tournament = match_jobs.source_match(session, session.get_one(Match, job.subject))
    size = matches.size_of(tournament, source)
    return Limits.from_dict(size.limits).max_match_s(size.seats) + LEASE_MARGIN_S


def _codes(session: Session, match_job: MatchJob) -> Mapping[str, bytes]:
    return match_jobs.sources_of(session, {seat.code for seat in match_job.seats})


# Results, which are parsed, judged by replaying every game, and stored once.


@dataclass(frozen=True, slots=True)
class CheckedMessage:
    """A worker's message about a match, after validation."""

    match_job: MatchJob | None = None  # None if the message is only about a stage of a check
    result: Result | None = None
    judged: JudgedMatch | None = None  # None if no game was played
    stage: str = ""


class _Progress(msgspec.Struct):
    stage: str


def _check(session: Session, job: Job, body: Raw, is_result: bool) -> CheckedMessage:
    match = _match_of(session, job, MatchState.LEASED)
    try:
        if not is_result:
            return CheckedMessage(stage=msgspec.json.decode(body, type=_Progress).stage)
        result = decode_result(bytes(body))
        tournament = session.get_one(Tournament, match.tournament_id)
        match_job = _SENT.pop(job.token or "") or match_jobs.build_match_job(session, match, tournament)
        if result.void is not None:
            raise JobFailed(f"platform fault: {result.void}")
        if result.check is not None and result.check.problems:
            if match.trial_version_id is None:
                raise Unjudged(f"match {match_job.id} is not a trial, but the result lists problems of a check")
            return CheckedMessage(match_job, result)
        _require_check(match_job, result)
        return CheckedMessage(match_job, result, None if match_job.check_only else judge(match_job, result))
    except JobFailed:
        raise
    except (Unjudged, ValueError, RecursionError) as error:
        raise ResultRefused(f"its result was refused: {error}", str(error)) from error


def _require_check(match_job: MatchJob, result: Result) -> None:
    """Check that a requested check passed its stages, and that a check alone has no games.  Raises Unjudged."""
    passed = set(result.check.stages) if result.check is not None else set()
    required = trials.CHECK_STAGES[:1] if match_job.check_only else trials.CHECK_STAGES
    if match_job.check is not None and not passed.issuperset(required):
        raise Unjudged(f"the check of match {match_job.id} has only the stages {sorted(passed)}")
    if match_job.check_only and result.games:
        raise Unjudged(f"match {match_job.id} is only a check, but its result has {len(result.games)} games")


def _store(session: Session, job: Job, checked: CheckedMessage) -> None:
    match = session.get_one(Match, job.subject)
    match_job, result, judged = checked.match_job, checked.result, checked.judged
    if match_job is None or result is None:
        trials.apply_progress(session, match, checked.stage)
    elif result.check is not None and result.check.problems:
        has_failed = not trials.apply_check(session, match, result.check)
        reason = matches.NOT_PASSED if has_failed else matches.retry_obstacle(session, match) or matches.NOT_PASSED
        matches.void_leased(session, match, reason, attempt=job.attempt)
        _apply_void(session, match)
    elif judged is None:
        digest = sha256(encode(result)).hexdigest()
        _end(session, match, job, result, cpu_s=None, digest=digest, python=this_python())
        if result.check is not None:
            trials.apply_check(session, match, result.check)
        trials.plan_next(session, session.get_one(Version, match.trial_version_id))
    else:
        _store_judged(session, job, match, match_job, result, judged)


def _store_judged(
    session: Session, job: Job, match: Match, match_job: MatchJob, result: Result, judged: JudgedMatch
) -> None:
    cpu_s = _cpu_s(match_job, job, result)
    _end(session, match, job, result, cpu_s=cpu_s, digest=match_digest(match_job, judged), python=this_python())
    ladder_queue.charge(session, match, cpu_s)
    if match.audit_of is not None:
        if audits.compare_play(session, match, match_job, judged):
            matches.store_games(session, job.subject, judged)
        return
    matches.store_games(session, job.subject, judged)
    matches.store_scores(session, job.subject, judged, result.think)
    if match.trial_version_id is not None:
        if result.check is not None:
            trials.apply_check(session, match, result.check)
        trials.apply_trial(session, match, judged)


def follow_result(session: Session, job: Job, checked: Any, audit_percent: int) -> Match | None:
    """Draw audits and update the ratings if a match was played, and return the match; None for any other job."""
    if not isinstance(checked, CheckedMessage):
        return None
    match = session.get_one(Match, job.subject)
    if checked.judged is not None and match.audit_of is None:
        tournament = session.get_one(Tournament, match.tournament_id)
        if match.purpose in RATED:
            audits.draw_audit(session, tournament, match, audit_percent)
        ratings.update_ratings(session, tournament)
    return match


def _end(session: Session, match: Match, job: Job, result: Result, **values: Any) -> None:
    seconds = min(max(result.seconds, 0.0), 1e6)
    values |= {"state": MatchState.DONE.value, "done_at": now_s(), "seconds": seconds, "attempt": job.attempt}
    session.connection().execute(_END, {"b_id": match.id, **values})
    for name, value in values.items():
        set_committed_value(match, name, value)


_END: Final = (
    update(table_of(Match))
    .where(col(Match.id) == bindparam("b_id"))
    .values({name: bindparam(name) for name in ("state", "done_at", "seconds", "attempt", "cpu_s", "digest", "python")})
)


def _cpu_s(match_job: MatchJob, job: Job, result: Result) -> float:
    # The worker reported this, but the referee and the bots share a core, so they cannot have used more than the time
    # since the match was sent. If the worker did not report a CPU time, the duration of the match is used.
    limit_s = Limits.from_dict(match_job.limits).max_match_s(len(match_job.seats))
    passed_s = now_s() - (job.leased_at or 0.0)
    return max(min(result.match_cpu_s or result.seconds, limit_s, passed_s), 0.0)


# Attempts that end without a result.


def _retry_obstacle(session: Session, job: Job) -> str | None:
    """Charge a ladder for its match's playing time; return the reason why the match must not be retried, or None."""
    match = _match_of(session, job, MatchState.LEASED)
    if job.begun_at is not None and job.lease_until is not None:
        ladder_queue.charge(session, match, min(now_s(), job.lease_until) - job.begun_at, is_complete=False)
    return matches.retry_obstacle(session, match)


def _requeue(session: Session, job: Job) -> None:
    matches.reschedule(session, session.get_one(Match, job.subject), attempt=job.attempt)


def _give_up(session: Session, job: Job, reason: str) -> None:
    match = session.get_one(Match, job.subject)
    if reason not in (matches.WITHDRAWN, matches.IN_QUARANTINE):
        reason = f"begun {job.attempt} times without a result; last reason: {reason}"
    if matches.void_leased(session, match, reason, attempt=job.attempt):
        _apply_void(session, match)


def _apply_void(session: Session, match: Match) -> None:
    trials.apply_void(session, match)
    ratings.update_ratings(session, session.get_one(Tournament, match.tournament_id))


# The kinds of jobs, one for each purpose of a match.


_QUEUES: Final = {Purpose.CHECK: QUEUE_CHECKS, Purpose.TRIAL: QUEUE_TRIALS}
MATCHES: Final = {
    purpose: register(
        Kind(
            name=purpose.value,
            queue=_QUEUES.get(purpose, QUEUE_MATCHES),
            payload=_match_job,
            check=_check,
            store=_store,
            give_up=_give_up,
            lease_s=_lease_s,
            has_parts=True,
            silence_reason="",
            locks_versions=True,
            retry_obstacle=_retry_obstacle,
            requeue=_requeue,
            codes=_codes,
        )
    )
    for purpose in Purpose
}


def match_kind(match: Match) -> Kind:
    """Return the kind of a match's job."""
    return MATCHES[Purpose(match.purpose)]


def job_of(session: Session, match: Match) -> Job | None:
    """Return a match's job, or None if the match was never sent or the job ended a while ago."""
    return find_job(session, match_kind(match), row_id(match.id))


def host_ranks(session: Session, play: Match) -> Mapping[int, int]:
    """Return ranks, by id, of the hosts that should play an audit only if no other host can."""
    if play.audit_of is None:
        return {}
    query = select(Audit).where((Audit.second_id == play.id) | (Audit.third_id == play.id))
    audit = session.exec(query).first()
    if audit is None:
        return {}
    if audit.second_id == play.id:
        return {} if audit.host_id is None else {audit.host_id: 1}
    # Without a third host, the host with the lower id gets the third play.
    hosts = sorted({host for host in (audit.host_id, audit.second_host_id) if host is not None})
    return {host: rank for rank, host in enumerate(hosts, 1)}

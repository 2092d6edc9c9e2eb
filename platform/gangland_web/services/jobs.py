"""Jobs: leasing work to workers, recording their messages, and ending and reclaiming leases.

A job is a row about a subject, such as a hint or an analysis.  The subject's module registers a `Kind`, which creates
the job's payload and handles the result.  The row is authoritative, so a lost message only costs time.
"""

import hmac
import logging
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Raw
from sqlalchemy import ColumnElement, Float, bindparam, case, delete, or_, update
from sqlalchemy import select as select_columns
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col, func, select

from gangland_ladder.common.release import this_release
from gangland_web.base.formats import now_s
from gangland_web.base.text import shown
from gangland_web.broker.gate import NOTHING, InvalidMessage, Message, decode_message
from gangland_web.broker.names import ANALYSIS_SENDER
from gangland_web.models.columns import add_row, row_id, table_of
from gangland_web.models.database import Database
from gangland_web.models.jobs import Job, JobState, Verdict
from gangland_web.models.matches import WorkerHost
from gangland_web.models.site import Fact, SiteFact, fact, store_fact
from gangland_web.models.tournaments import lock_versions

log = logging.getLogger("gangland_web.jobs")

ReturnT = TypeVar("ReturnT")


# Kinds: the functions and limits that a subject's module provides for its jobs.

ATTEMPTS: Final = 3  # a job fails after this many attempts without a result
SILENCE_S: Final = 15.0  # a job in progress is reclaimed after this time without a message, unless its kind allows more


class ResultRefused(ValueError):
    """A worker's result is invalid.  The message is for the user who waits for the job, `detail` for the log."""

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail or message


class JobFailed(ResultRefused):
    """A worker reported that it could not do the job; see `ResultRefused`."""


class FatalError(JobFailed):
    """A worker reported that the job cannot succeed, so it is not retried."""


class JobGone(LookupError):
    """A job's subject no longer exists or no longer needs the job, which is then dropped."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job: the functions and limits that a subject's module provides.

    Attributes:
        queue: the broker's queue for the job's messages, or the default queue if this depends on the job.
        payload: returns the payload of a job that was just leased; may raise JobGone.
        check: parses a worker's message before any row is locked.  Its arguments are the session, the job, the JSON,
            and whether the message is the final result.  Raises ResultRefused (or a subclass) or JobGone.
        store: stores the return value of `check`, in the transaction that ends the lease or records a part's heartbeat.
        give_up: records that the job has failed, with the reason.  `give_up`, `retry_obstacle` and `requeue` may raise
            JobGone.
        silence_reason: the reason that the user sees if workers fell silent; "" for a technical one.
        locks_versions: whether `store` changes the state of versions or matches, which are locked first.
        discard: discards a return value of `check` that was not stored.
        delete_subject: deletes the subject of a stale job.
        retry_obstacle: called before an attempt ends without a result; returns the reason not to retry it, or None.
        requeue: records that the job is requeued.
        codes: returns the bots' sources that a payload needs, by SHA-256.
    """

    name: str
    queue: str
    payload: Callable[[Session, Job], Any]
    check: Callable[[Session, Job, Raw, bool], Any]
    store: Callable[[Session, Job, Any], None]
    give_up: Callable[[Session, Job, str], None]
    lease_s: Callable[[Session, Job], float]  # the maximum duration of a lease
    silence_s: float = SILENCE_S  # the maximum time between two messages from a worker
    has_parts: bool = False  # whether a worker sends parts of its result before the end
    silence_reason: str = f"It was started {ATTEMPTS} times and never finished."
    locks_versions: bool = False
    discard: Callable[[Job], None] | None = None
    delete_subject: Callable[[Session, Job], None] | None = None
    retry_obstacle: Callable[[Session, Job], str | None] | None = None
    requeue: Callable[[Session, Job], None] | None = None
    codes: Callable[[Session, Any], Mapping[str, bytes]] | None = None


KINDS: Final[dict[str, Kind]] = {}  # by name


def register(kind: Kind) -> Kind:
    """Add a kind of job to `KINDS` and return it."""
    KINDS[kind.name] = kind
    return kind


# The queue of waiting jobs.


def add_job(session: Session, kind: Kind, subject: int, *, priority: int = 0) -> Job | None:
    """Queue a job and return it, or return the open job about the same subject; a lower `priority` is sent earlier.

    Returns None if another transaction added the job at the same time.
    """
    job = find_job(session, kind, subject)
    if job is None:
        job = Job(kind=kind.name, subject=subject, priority=priority, created_at=now_s())
        try:
            with session.begin_nested():
                session.add(job)
        except IntegrityError:
            session.expire_all()
            return None
    elif job.state not in OPEN:
        job.state, job.attempt, job.failed_for, job.done_at = JobState.WAITING.value, 0, None, None
        job.begun_at, job.leased_at, job.beat_at = None, None, None
        job.priority, job.created_at = priority, now_s()
        add_row(session, job)
    return job


OPEN: Final = (JobState.WAITING.value, JobState.LEASED.value)


def find_job(session: Session, kind: Kind, subject: int) -> Job | None:
    """Return the job of this kind about a subject, or None."""
    return session.exec(_JOB_OF, params={"b_kind": kind.name, "b_subject": subject}).first()


_JOB_OF: Final = select(Job).where(col(Job.kind) == bindparam("b_kind"), col(Job.subject) == bindparam("b_subject"))


def raise_priority(session: Session, kind: Kind, subject: int, priority: int) -> None:
    """Lower the priority number of a job, so that it is sent sooner."""
    conditions = (col(Job.kind) == kind.name, col(Job.subject) == subject, col(Job.priority) > priority)
    waiting = col(Job.state) == JobState.WAITING.value
    values = {"priority": priority, "created_at": case((waiting, now_s()), else_=col(Job.created_at))}
    session.connection().execute(update(table_of(Job)).where(*conditions).values(**values))
    session.expire_all()


def drop_jobs(session: Session, kind: str, subjects: Collection[int | None]) -> None:
    """Delete the jobs about deleted subjects; later messages about these jobs are stale."""
    session.connection().execute(
        delete(table_of(Job)).where(col(Job.kind) == kind, col(Job.subject).in_(list(subjects)))
    )


def waiting_jobs(*kinds: Kind) -> Any:
    """Return the query for the waiting jobs of these kinds, in sending order."""
    names = [kind.name for kind in kinds]
    query = select(Job).where(Job.state == JobState.WAITING.value, col(Job.kind).in_(names))
    return query.order_by(col(Job.priority), col(Job.created_at), col(Job.id))


def place_in_queue(session: Session, job: Job, *kinds: Kind) -> int:
    """Return the place of a waiting job among the jobs of these kinds, from 1."""
    same_time = (col(Job.created_at) == job.created_at) & (col(Job.id) < job.id)
    earlier = (col(Job.created_at) < job.created_at) | same_time
    before = (col(Job.priority) < job.priority) | ((col(Job.priority) == job.priority) & earlier)
    waiting = (Job.state == JobState.WAITING.value, col(Job.kind).in_([kind.name for kind in kinds]), before)
    return 1 + session.exec(select(func.count()).select_from(Job).where(*waiting)).one()


# Leases.


@dataclass(frozen=True, slots=True)
class Run:
    """A leased job, with its queue, its message and its payload."""

    queue: str
    message: Message
    payload: Any
    lease_s: float


def lease(session: Session, job: Job, queue: str, host: WorkerHost | None = None) -> Run | None:
    """Lease a job; the caller sends the message once the lease is committed.

    Returns None if another process was faster, the job is stale, or the payload could not be created.
    """
    return _run_isolated(session, job, lambda: _lease(session, job, queue, host))


def _run_isolated(session: Session, job: Job, action: Callable[[], ReturnT]) -> ReturnT | None:
    """Call `action` for one of several jobs, so that a bug does not affect the others; return None after a bug."""
    name = f"{job.kind}, job {job.id} about {job.subject}"
    try:
        with session.begin_nested():
            return action()
    except OperationalError:
        raise  # an error of the database: the caller retries the whole transaction
    except Exception:  # a bug: the changes are rolled back, and the caller continues with the other jobs
        log.exception("%s failed and was left unchanged", name)
        return None


def _lease(session: Session, job: Job, queue: str, host: WorkerHost | None) -> Run | None:
    kind, now = KINDS[job.kind], now_s()
    host_id = None if host is None else row_id(host.id)
    values = {
        "state": JobState.LEASED.value,
        "token": ensure_signer(session).token(row_id(job.id), host_id or 0),
        "queue": queue,
        "host_id": host_id,
        "leased_at": now,
        "lease_until": now + kind.lease_s(session, job),
        "begun_at": None,
        "beat_at": None,
    }
    session.flush()
    # The condition on the state works as a lock: only one of two dispatchers updates the row and sends the job.
    if session.connection().execute(_LEASE, {"b_id": job.id, **values}).rowcount != 1:
        return None
    for name, value in values.items():
        set_committed_value(job, name, value)
    try:
        payload = kind.payload(session, job)
    except JobGone:
        _drop(session, job)
        return None
    body, until = Raw(msgspec.json.encode(payload)), job.lease_until or now
    return Run(queue, Message(kind.name, row_id(job.id), job.token or "", body, until), payload, until - now)


_LEASE: Final = (
    update(table_of(Job))
    .where(col(Job.id) == bindparam("b_id"), col(Job.state) == JobState.WAITING.value)
    .values(
        {
            name: bindparam(name)
            for name in ("state", "token", "queue", "host_id", "leased_at", "lease_until", "begun_at", "beat_at")
        }
    )
)


def _drop(session: Session, job: Job) -> None:
    kind = KINDS[job.kind]
    if kind.delete_subject is not None:
        kind.delete_subject(session, job)
    session.delete(job)
    session.flush()


_LEASE_CONDITIONS: Final = (
    col(Job.id) == bindparam("b_id"),
    col(Job.state) == JobState.LEASED.value,
    col(Job.token) == bindparam("b_token"),
)
_LEASED: Final = select(Job).where(*_LEASE_CONDITIONS, col(Job.kind) == bindparam("b_kind"))
_NOW: Final = bindparam("now", type_=Float)
_BEGIN_OR_BEAT: Final = (
    update(table_of(Job))
    .where(*_LEASE_CONDITIONS)
    .values(
        begun_at=func.coalesce(col(Job.begun_at), _NOW),
        beat_at=_NOW,
        attempt=col(Job.attempt) + case((col(Job.begun_at).is_(None), 1), else_=0),
    )
)
_FINISH: Final = (
    update(table_of(Job))
    .where(*_LEASE_CONDITIONS)
    .values(state=JobState.DONE.value, token=None, lease_until=None, done_at=bindparam("now"))
)
_LOCK: Final = update(table_of(Job)).where(*_LEASE_CONDITIONS).values(token=bindparam("b_token"))


def _leased_job(session: Session, message: Message) -> Job | None:
    values = {"b_id": message.job, "b_token": message.token, "b_kind": message.kind}
    return session.exec(_LEASED, params=values).first()


def _update_leased(session: Session, statement: Any, job_id: int, token: str | None) -> bool:
    """Update a job if its lease is still valid, and return whether it was, so that a result counts only once."""
    values = {"b_id": job_id, "b_token": token, "now": now_s()}
    return bool(session.connection().execute(statement, values).rowcount == 1)


def _begin_or_beat(session: Session, message: Message) -> bool:
    """Record that a worker sent a message; the first message of a lease counts as an attempt."""
    return _update_leased(session, _BEGIN_OR_BEAT, message.job, message.token)


def end_attempt(session: Session, job: Job, reason: str, *, counts: bool = True, last: bool = False) -> bool:
    """End a lease without a result: requeue, fail or drop the job; return False if the lease had already ended.

    `counts`: whether an attempt that has begun counts.  `last`: whether the job must not be retried.
    """
    if not _update_leased(session, _LOCK, row_id(job.id), job.token):  # locks the row against other processes
        session.expire(job)
        return False
    try:
        _requeue_or_fail(session, job, reason, counts=counts, last=last)
    except JobGone:
        _drop(session, job)
    return True


def _requeue_or_fail(session: Session, job: Job, reason: str, *, counts: bool, last: bool) -> None:
    kind = KINDS[job.kind]
    obstacle = kind.retry_obstacle(session, job) if kind.retry_obstacle is not None else None
    attempt = job.attempt - (not counts and job.begun_at is not None)
    has_failed = last or obstacle is not None or attempt >= ATTEMPTS
    cause = obstacle or reason
    values: dict[str, Any] = {"state": JobState.WAITING.value, "token": None, "lease_until": None, "attempt": attempt}
    values |= {"leased_at": None, "begun_at": None, "beat_at": None}
    if has_failed:
        values |= {"state": JobState.FAILED.value, "failed_for": cause, "done_at": now_s()}
    session.connection().execute(update(table_of(Job)).where(col(Job.id) == job.id).values(**values))
    session.refresh(job)
    if has_failed:
        kind.give_up(session, job, cause)
    elif kind.requeue is not None:
        kind.requeue(session, job)


# Messages from workers about jobs, which are untrusted input.

REASON_CHARS: Final = 300


class Report(StrEnum):
    """The type of a worker's message."""

    ALIVE = "alive"
    RESULT = "result"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class Receipt:
    """The verdict on a message, the job before it was recorded, and a reason for the log."""

    verdict: Verdict
    message: Message | None = None
    job: Job | None = None
    reason: str = ""
    content: Any = None  # the return value of `Kind.check`, if it was stored
    outcome: Any = None  # the return value of the `OnStored` callback


OnStored = Callable[[Session, Job, Any], Any]  # runs in the transaction that stores a result; see `Kind.store`


def record_message(
    database: Database, report: Report, sender: str, text: object, on_stored: OnStored | None = None
) -> Receipt:
    """Check a message from a host or from ANALYSIS_SENDER, and record it if the job's lease is still valid."""
    try:
        message = decode_message(text)
    except InvalidMessage as error:
        return Receipt(Verdict.REFUSED, reason=shown(str(error), limit=REASON_CHARS))
    if message.kind not in KINDS:
        return Receipt(Verdict.REFUSED, message, reason=f"unknown kind of job: {message.kind!r}")
    with database.read() as session:
        verdict = _sender_verdict(session, sender, message)
    if verdict is not None:
        return Receipt(verdict, message)
    if report is Report.RETURNED or message.release != this_release():
        return _requeue_returned(database, message)
    if report is Report.ALIVE and message.body == NOTHING:
        with database.write() as session:
            return Receipt(Verdict.ALIVE if _begin_or_beat(session, message) else Verdict.STALE, message)
    return _record(database, message, on_stored, is_result=report is Report.RESULT)


def _record(database: Database, message: Message, on_stored: OnStored | None, *, is_result: bool) -> Receipt:
    """Record a result, or a part of one: check it before locking rows, and store it if the lease is still valid."""
    kind, error, content, outcome = KINDS[message.kind], None, None, None
    with database.read() as session:
        job = _leased_job(session, message)
        if job is None:
            return Receipt(Verdict.STALE, message)
        try:
            if not (is_result or kind.has_parts):
                raise ResultRefused(kind.silence_reason, "a part of a result, but this kind of job has no parts")
            content = kind.check(session, job, message.body, is_result)
        except (ResultRefused, JobGone) as caught:
            error = caught
        session.expunge_all()
    verdict, reason = Verdict.STALE, ""
    with database.write() as session:
        if kind.locks_versions:
            lock_versions(session)
        if not is_result or job.begun_at is None:
            _begin_or_beat(session, message)
        leased_job = _leased_job(session, message)
        if leased_job is not None and error is not None:
            verdict, reason = _end_after_error(session, leased_job, error)
        elif leased_job is not None and (not is_result or _update_leased(session, _FINISH, message.job, message.token)):
            kind.store(session, leased_job, content)
            if is_result and on_stored is not None:
                outcome = on_stored(session, leased_job, content)
            verdict = Verdict.DONE if is_result else Verdict.PART
    if verdict not in (Verdict.DONE, Verdict.PART):
        if kind.discard is not None:
            kind.discard(job)
        return Receipt(verdict, message, job, reason)
    return Receipt(verdict, message, job, reason, content, outcome)


def _end_after_error(session: Session, job: Job, error: Exception) -> tuple[Verdict, str]:
    reason = shown(str(error), limit=REASON_CHARS)
    if isinstance(error, JobGone):
        _drop(session, job)
        return Verdict.STALE, ""
    end_attempt(session, job, reason, last=isinstance(error, FatalError))
    detail = error.detail if isinstance(error, ResultRefused) else reason
    return Verdict.FAILED if isinstance(error, JobFailed) else Verdict.REFUSED, shown(detail, limit=REASON_CHARS)


def _requeue_returned(database: Database, message: Message) -> Receipt:
    """Requeue a job that its worker returned, without counting an attempt."""
    with database.write() as session:
        if KINDS[message.kind].locks_versions:
            lock_versions(session)
        job = _leased_job(session, message)
        if job is None:
            return Receipt(Verdict.STALE, message)
        end_attempt(session, job, REQUEUED, counts=False)
    if message.release == this_release():
        return Receipt(Verdict.RETURNED, message, job)
    reason = f"its worker has {shown(message.release, limit=40)}: restart it with {this_release()}, as on the site"
    return Receipt(Verdict.OTHER_RELEASE, message, job, reason)


# The sweep, which ends the leases of silent workers and of jobs whose messages were lost.

DONE_RETENTION_S: Final = 3600.0  # how long ended jobs are stored, to show that an older job in the queue is lost


def sweep_jobs(
    database: Database, hosts: Iterable[WorkerHost], waiting: Mapping[str, int], absent: Collection[str] = ()
) -> list[Job]:
    """Reclaim jobs whose workers have fallen silent, and return them; `hosts` are the hosts that may play.

    `waiting`: the number of pending messages in each queue.  If it is 0, a job that was sent a while ago and never
    begun has lost its message.  `absent`: queues of hosts without workers, while other hosts have workers; jobs in
    these queues are reclaimed, too.
    """
    host_ids = [host.id for host in hosts]
    silent = _silence_condition({queue: 0 if queue in absent else count for queue, count in waiting.items()})
    old = col(Job.done_at) < now_s() - DONE_RETENTION_S
    with database.read() as session:
        is_excluded = col(Job.host_id).is_not(None) & col(Job.host_id).not_in(host_ids)  # the host may no longer play
        lost = or_(silent, is_excluded, *_overtaken_conditions(session))
        leased = select(Job).where(Job.state == JobState.LEASED.value, lost).order_by(col(Job.id))
        if not any(session.exec(query.limit(1)).first() for query in (leased, select(Job).where(old))):
            return []
    with database.write() as session:
        lock_versions(session)
        ended = []
        for job in session.exec(leased).all():
            counts = job.host_id is None or job.host_id in host_ids
            silence = f"the worker fell silent for {SILENCE_S:.0f} s" if job.begun_at else "the worker did not start it"
            if _end_isolated(session, job, KINDS[job.kind].silence_reason or silence, counts=counts):
                ended.append(job)
        session.connection().execute(delete(table_of(Job)).where(old))
    return ended


def _end_isolated(session: Session, job: Job, reason: str, *, counts: bool) -> bool:
    return bool(_run_isolated(session, job, lambda: end_attempt(session, job, reason, counts=counts)))


def requeue_jobs_of(session: Session, host: WorkerHost) -> int:
    """End the leases of all of a host's jobs, without counting an attempt, and return the number of jobs."""
    leased = select(Job).where(Job.state == JobState.LEASED.value, Job.host_id == host.id).order_by(col(Job.id))
    return sum(_end_isolated(session, job, REQUEUED, counts=False) for job in session.exec(leased).all())


REQUEUED: Final = "it was stopped and queued again"


def requeue_all(session: Session) -> list[Job]:
    """Requeue or fail all leased jobs, without counting an attempt, and return them; delete jobs of unknown kinds."""
    lock_versions(session)
    session.connection().execute(delete(table_of(Job)).where(col(Job.kind).not_in(list(KINDS))))
    jobs = session.exec(select(Job).where(Job.state == JobState.LEASED.value).order_by(col(Job.id))).all()
    return [job for job in jobs if _end_isolated(session, job, REQUEUED, counts=False)]


def _silence_condition(waiting: Mapping[str, int]) -> ColumnElement[bool]:
    """Return the condition that a job's lease has expired, its worker has fallen silent, or its message is lost."""
    now = now_s()
    conditions = [
        col(Job.lease_until) < now,
        *((col(Job.kind) == kind.name) & _is_long_ago(Job.beat_at, now, kind.silence_s) for kind in KINDS.values()),
    ]
    not_started = col(Job.begun_at).is_(None)
    empty = [queue for queue, count in waiting.items() if count == 0]
    conditions.append(not_started & col(Job.queue).in_(empty) & _is_long_ago(Job.leased_at, now, SILENCE_S))
    conditions.append(not_started & (col(Job.leased_at) > now + SILENCE_S))
    return or_(*conditions)


def _is_long_ago(moment: float | None, now: float, limit_s: float) -> ColumnElement[bool]:
    """Return the condition that a time is more than `limit_s` seconds in the past or in the future.

    A time in the future means that the clock was set back, so the age is unknown.
    """
    return or_(col(moment) < now - limit_s, col(moment) > now + limit_s)


def _overtaken_conditions(session: Session) -> list[ColumnElement[bool]]:
    """Return the conditions that a job has not begun, although a later job in the same queue began a while ago.

    Queues are first in, first out, so such a job's message must be lost.  Jobs that began before they were sent are
    ignored, since they only show that the clock was set back.
    """
    has_begun = (col(Job.begun_at) < now_s() - SILENCE_S, col(Job.begun_at) >= col(Job.leased_at))
    query = select(Job.queue, func.max(Job.leased_at)).where(*has_begun).group_by(col(Job.queue))
    return [
        col(Job.begun_at).is_(None) & (col(Job.queue) == queue) & (col(Job.leased_at) < latest)
        for queue, latest in session.exec(query).all()
    ]


# Senders: checking that a message about a job comes from the host that leased the job.
#
# A message's queue shows which host sent it. A lease's token contains a code that only this site can create, and that
# is valid for only one host. So the site can tell a late message, from the host of an earlier lease, from a message
# that another host made up.

_NONCE_BYTES: Final = 8
_CODE_CHARS: Final = 32


@dataclass(frozen=True, slots=True)
class LeaseSigner:
    """Signs and verifies lease tokens with a key that is never sent to a worker."""

    key: bytes

    def token(self, job: int, host_id: int) -> str:
        """Return a new token (48 hexadecimal digits) for a job's lease to a host, or to an analysis worker (0)."""
        nonce = secrets.token_hex(_NONCE_BYTES)
        return nonce + self._code(job, host_id, nonce)

    def has_signed(self, token: str, job: int, host_id: int) -> bool:
        """Return whether this token was created for a lease of this job to this host."""
        nonce, code = token[: 2 * _NONCE_BYTES], token[2 * _NONCE_BYTES :]
        return hmac.compare_digest(self._code(job, host_id, nonce).encode(), code.encode("utf-8", "replace"))

    def _code(self, job: int, host_id: int, nonce: str) -> str:
        payload = f"{job}|{host_id}|{nonce}".encode("utf-8", "replace")
        return hmac.new(self.key, payload, sha256).hexdigest()[:_CODE_CHARS]


def ensure_signer(session: Session) -> LeaseSigner:
    """Return this site's signer; the first call generates its key."""
    if (stored := fact(session, Fact.LEASE_KEY)) is not None:
        return LeaseSigner(bytes.fromhex(stored.value["key"]))
    signer = LeaseSigner(secrets.token_bytes(32))
    store_fact(session, Fact.LEASE_KEY, {"key": signer.key.hex()})
    return signer


def _sender_verdict(session: Session, sender: str, message: Message) -> Verdict | None:
    """Return the verdict on a message that is refused because of its sender, or None if the job was leased to it."""
    row = session.connection().execute(_HOST_AND_KEY, {"b_name": sender}).first()
    if row is None or (row.id is None and sender != ANALYSIS_SENDER):
        return Verdict.EXCLUDED
    signer = LeaseSigner(bytes.fromhex(row.value["key"]))
    return None if signer.has_signed(message.token, message.job, row.id or 0) else Verdict.FORGED


_HOST_AND_KEY: Final = (
    select_columns(col(SiteFact.value), col(WorkerHost.id))
    .join_from(
        SiteFact,
        WorkerHost,
        (col(WorkerHost.name) == bindparam("b_name"))
        & col(WorkerHost.revoked_at).is_(None)
        & col(WorkerHost.stopped_at).is_(None),
        isouter=True,
    )
    .where(col(SiteFact.name) == Fact.LEASE_KEY.value)
)

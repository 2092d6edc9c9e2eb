"""Clips of games, which a page requests, a worker creates, and the database stores for a few minutes."""

from enum import Enum, auto
from typing import Final

import msgspec
from msgspec import Raw
from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, func, select

from gangland_ladder.viewer.clip_jobs import WALL_S, ClipJob, ClipResult
from gangland_ladder.viewer.clips import MAX_BYTES
from gangland_web.base.formats import now_s
from gangland_web.broker.names import QUEUE_SOON
from gangland_web.models.columns import add_row, row_id, table_of
from gangland_web.models.jobs import Clip, Job
from gangland_web.services.jobs import OPEN, FatalError, JobGone, Kind, ResultRefused, add_job, drop_jobs, register

MAX_OPEN: Final = 8  # maximum number of clips that are waiting or being created
RETENTION_S: Final = 600.0  # how long a clip is stored, and the pause before a failed clip can be requested once more
_SIGNATURES: Final = {"webp": b"RIFF", "gif": b"GIF89a"}


class ClipOutcome(Enum):
    """The outcome of a request for a clip."""

    QUEUED = auto()
    KNOWN = auto()
    FULL = auto()
    FAILED = auto()


def clip_state(session: Session, key: str) -> ClipOutcome | None:
    """Return KNOWN if a clip is waiting, being created or stored, FAILED if it has failed, else None."""
    clip = find_clip(session, key)
    if clip is None:
        return None
    is_open = (Job.kind == CLIP.name, Job.subject == clip.id, col(Job.state).in_(OPEN))
    is_known = clip.body is not None or session.exec(select(Job.id).where(*is_open)).first() is not None
    return ClipOutcome.KNOWN if is_known else ClipOutcome.FAILED


def find_clip(session: Session, key: str) -> Clip | None:
    """Return the stored clip with this key (its file name), or None."""
    return session.exec(select(Clip).where(Clip.key == key, Clip.requested_at >= now_s() - RETENTION_S)).first()


def request_clip(session: Session, key: str, clip_job: ClipJob) -> ClipOutcome:
    """Request a clip, unless it has already been requested or too many clips are waiting."""
    drop_old_clips(session)
    if (state := clip_state(session, key)) is not None:
        return state
    open_jobs = select(func.count()).select_from(Job).where(Job.kind == CLIP.name, col(Job.state).in_(OPEN))
    if session.exec(open_jobs).one() >= MAX_OPEN:
        return ClipOutcome.FULL
    clip = Clip(key=key, request=msgspec.json.encode(clip_job).decode(), requested_at=now_s())
    try:
        with session.begin_nested():
            add_row(session, clip)
    except IntegrityError:  # another request was faster
        return ClipOutcome.KNOWN
    add_job(session, CLIP, row_id(clip.id))
    return ClipOutcome.QUEUED


def drop_old_clips(session: Session) -> None:
    """Delete expired clips with their jobs."""
    ids = session.exec(select(Clip.id).where(Clip.requested_at < now_s() - RETENTION_S)).all()
    drop_jobs(session, CLIP.name, ids)
    session.connection().execute(delete(table_of(Clip)).where(col(Clip.id).in_(ids)))


def _clip_of(session: Session, job: Job) -> Clip:
    clip = session.get(Clip, job.subject)
    if clip is None:
        raise JobGone
    return clip


def _check(session: Session, job: Job, body: Raw, _is_result: bool) -> bytes:
    extension = _clip_of(session, job).key.rpartition(".")[2]
    try:
        clip = msgspec.json.decode(body, type=ClipResult)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ResultRefused(f"it is not a clip: {error}") from error
    if clip.failed:
        raise FatalError(clip.failed)
    if len(clip.body) > MAX_BYTES or not clip.body.startswith(_SIGNATURES[extension]):
        raise ResultRefused(f"its {len(clip.body)} bytes are over {MAX_BYTES}, or are not a {extension} file")
    return clip.body


def _store(session: Session, job: Job, body: bytes) -> None:
    clip = session.get_one(Clip, job.subject)
    clip.body = body
    session.add(clip)


CLIP: Final = register(
    Kind(
        name="clip",
        queue=QUEUE_SOON,
        payload=lambda session, job: msgspec.json.decode(_clip_of(session, job).request, type=ClipJob),
        check=_check,
        store=_store,
        give_up=lambda _session, _job, _reason: None,  # the job's state shows the failure
        lease_s=lambda _session, _job: WALL_S + 100.0,
        silence_s=WALL_S + 20.0,
    )
)

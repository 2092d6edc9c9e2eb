"""What is asked of the database and the broker when somebody looks at the figures."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import redis
from sqlalchemy import select, text
from sqlmodel import Session, col, func

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.clock import now_s
from gangland_web.broker.link import CAUSES, cause_label, count_slots, count_stopped, known_hosts
from gangland_web.broker.names import queue_of
from gangland_web.metrics import (
    AUDIT_STATES,
    AUDITS,
    BACKUP_AGE,
    BROKER_BYTES,
    BROKER_LIMIT,
    BROKER_QUEUE,
    COUNTED_SINCE,
    DATABASE_BYTES,
    DISK_FREE,
    GAMES_ANALYSED,
    HOSTS_STOPPED,
    MAILS_OLDEST,
    MAILS_WAITING,
    MAINTENANCE,
    MATCH_SLOTS,
    MOMENTS_KEY,
    OLDEST,
    PROBES,
    QUEUE,
    RATING_AGE,
    RATING_LAG,
    SINCE,
    STOPPED,
    TASK_AGE,
    TASKS,
    Metric,
)
from gangland_web.models.accounts import Mail
from gangland_web.models.database import Database
from gangland_web.models.jobs import AnalysisState, GameAnalysis
from gangland_web.models.matches import Audit, Match, MatchState, Purpose, WorkerHost
from gangland_web.models.site import Fact, fact, maintenance
from gangland_web.models.tournaments import RATED_KINDS, Tournament
from gangland_web.queries.status import queues_of
from gangland_web.services.dispatch import waiting_of


class Sample(NamedTuple):
    """One value of a gauge, with its labels' values in the catalogue's order."""

    metric: Metric
    labels: tuple[str, ...]
    value: float


def of_database(database: Database) -> Iterator[Sample]:
    """Yield what the database knows.  Raises SQLAlchemyError if it does not answer."""
    with database.read() as db:
        now = now_s()
        yield Sample(MAINTENANCE, (), maintenance(db) is not None)
        yield from _queues(db, now)
        yield from _ratings(db, now)
        yield from _audits(db)
        yield from _analyses(db)
        waiting, oldest = db.connection().execute(select(func.count(), func.min(col(Mail.created_at)))).one()
        yield Sample(MAILS_WAITING, (), waiting)
        yield Sample(MAILS_OLDEST, (), _since(now, oldest))
        yield Sample(DATABASE_BYTES, (), _bytes(db, database))
        backup = fact(db, Fact.BACKUP)
        began = db.connection().execute(select(func.min(col(Tournament.created_at)))).scalar_one()
        yield Sample(BACKUP_AGE, (), _since(now, began if backup is None else backup.at))
    name = database.engine.url.database
    if database.engine.dialect.name == "sqlite" and name:
        yield Sample(DISK_FREE, (), shutil.disk_usage(Path(name).parent).free)


def of_broker(client: redis.Redis) -> Iterator[Sample]:
    """Yield what the broker knows.  Raises RedisError if it does not answer."""
    yield Sample(MATCH_SLOTS, (), count_slots(client))
    stopped = dict.fromkeys(PROBES, 0)
    for cause, workers in count_stopped(client, CAUSES).items():
        stopped[cause_label(cause)] += workers
    yield from (Sample(STOPPED, (probe,), workers) for probe, workers in stopped.items())
    hosts = known_hosts(client)
    for queue in BROKER_QUEUE.labels["queue"] or ():
        lists = [queue, *(queue_of(queue, host) for host in hosts)]
        yield Sample(BROKER_QUEUE, (queue,), sum(int(client.llen(each)) for each in lists))
    memory: Any = client.info("memory")
    yield Sample(BROKER_BYTES, (), memory["used_memory"])
    if memory.get("maxmemory"):
        yield Sample(BROKER_LIMIT, (), memory["maxmemory"])
    moments: Any = client.hgetall(MOMENTS_KEY)
    since = moments.get(SINCE.encode())
    if since is not None:
        yield Sample(COUNTED_SINCE, (), float(since))
        for task in TASKS:  # what was never done was not done since then
            yield Sample(TASK_AGE, (task,), _since(now_s(), float(moments.get(task.encode(), since))))


def _queues(db: Session, now: float) -> Iterator[Sample]:
    for queue in queues_of(db):
        yield Sample(QUEUE, (queue.purpose, "waiting"), queue.waiting)
        yield Sample(QUEUE, (queue.purpose, "given_out"), queue.playing)
    for purpose in Purpose:
        first = db.exec(waiting_of(purpose).limit(1)).first()
        yield Sample(OLDEST, (purpose.value,), _since(now, None if first is None else first.created_at))


def _audits(db: Session) -> Iterator[Sample]:
    stopped = select(func.count()).where(col(WorkerHost.stopped_at).is_not(None))
    yield Sample(HOSTS_STOPPED, (), db.connection().execute(stopped).scalar_one())
    counted = db.connection().execute(select(col(Audit.state), func.count()).group_by(col(Audit.state)))
    found = {row[0]: row[1] for row in counted}
    yield from (Sample(AUDITS, (state,), found.get(state, 0)) for state in AUDIT_STATES)


def _analyses(db: Session) -> Iterator[Sample]:
    state = col(GameAnalysis.state)
    found = {row[0]: row[1] for row in db.connection().execute(select(state, func.count()).group_by(state))}
    yield from (Sample(GAMES_ANALYSED, (each.value,), found.get(each.value, 0)) for each in AnalysisState)


def _ratings(db: Session, now: float) -> Iterator[Sample]:
    """Look beyond each cursor alone; a tournament that is not playing has nobody waiting for its ratings."""
    beyond = (
        select(col(Tournament.kind), func.count(), func.min(col(Match.done_at)))
        .join(Match, col(Match.tournament_id) == Tournament.id)
        .where(col(Tournament.kind).in_(RATED_KINDS), col(Tournament.state) == State.PLAYING.value)
        .where(col(Match.state) == MatchState.DONE.value, col(Match.rating_order) >= col(Tournament.cursor))
        .group_by(col(Tournament.kind))
    )
    found = {kind: (count, first) for kind, count, first in db.connection().execute(beyond)}
    for kind in RATED_KINDS:
        count, first = found.get(kind, (0, None))
        yield Sample(RATING_LAG, (kind,), count)
        yield Sample(RATING_AGE, (kind,), _since(now, first))


def _bytes(db: Session, database: Database) -> float:
    if database.engine.dialect.name == "sqlite":
        query = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    else:
        query = "SELECT pg_database_size(current_database())"
    return float(db.connection().execute(text(query)).scalar_one())


def _since(now: float, at: float | None) -> float:
    return 0.0 if at is None else max(0.0, now - at)

"""Whether the site can do its work: what the database and the broker say of themselves, and of what waits."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from gangland_ladder.common.release import this_release
from gangland_sandbox.doctor import ALL_MENDS, probe_of
from gangland_web.base.clock import now_s
from gangland_web.broker.link import ask_for_page, count_slots
from gangland_web.broker.stopped import CAUSES, RELEASE, cause_label, count_stopped
from gangland_web.models.database import Database, can_write
from gangland_web.resources.status import AnalysisQueue, Incident, Queue, analysis_queue_of, incidents_of, shown_queues
from gangland_web.resources.tables import Column, Kind

log = logging.getLogger("gangland_web.health")

QUEUES: Final = (
    *(Column("purpose", "Matches"), Column("waiting", "Waiting", Kind.WHOLE)),
    *(Column("playing", "Sent to workers", Kind.WHOLE), Column("since", "First one waiting since", Kind.MOMENT)),
)
PROBES = tuple(dict.fromkeys(probe_of(cause) for cause in ALL_MENDS))
"""What a worker tries in its own jail before it plays."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """Workers that play nothing, because a probe of their jail failed; with what to do about it."""

    probe: str
    mend: str
    workers: int


@dataclass(frozen=True, slots=True)
class Health:
    """What answers and what does not, and the work that waits; None where it could not be asked."""

    database: bool
    broker: bool
    slots: int | None
    queues: tuple[Queue, ...] | None
    stopped: tuple[Stopped, ...] = ()
    incidents: tuple[Incident, ...] = ()
    analyses: AnalysisQueue | None = None
    writes: bool = True

    @property
    def ok(self) -> bool:
        """True when the site can do all its work."""
        return self.database and self.writes and self.broker

    @property
    def scheduled(self) -> int | None:
        """How many matches wait."""
        return None if self.queues is None else sum(queue.waiting for queue in self.queues)

    @property
    def playing(self) -> int | None:
        """How many matches are given out."""
        return None if self.queues is None else sum(queue.playing for queue in self.queues)

    @property
    def since(self) -> float | None:
        """Since when the match waits that waits the longest, None where none does."""
        return min((queue.since for queue in self.queues or () if queue.since is not None), default=None)

    @property
    def probes(self) -> dict[str, str]:
        """What each probe of the workers' jails says: holds, fails, or unknown where no worker has spoken."""
        failing = {stopped.probe for stopped in self.stopped}
        usual = "holds" if self.slots else "unknown"
        return {probe: "fails" if probe in failing else usual for probe in PROBES}


def health_now(database: Database, redis_url: str | None) -> Health:
    """Ask the database and the broker how they are."""
    work = _work(database)
    workers = None if redis_url is None else _workers(redis_url)
    queues, incidents, analyses = work or (None, (), None)
    slots, stopped = workers or (None, ())
    writes = work is not None and can_write(database)
    return Health(work is not None, workers is not None, slots, queues, stopped, incidents, analyses, writes)


def _work(database: Database) -> tuple[tuple[Queue, ...], tuple[Incident, ...], AnalysisQueue] | None:
    """Return what waits and what went wrong lately, None if the database does not answer."""
    try:
        with database.read() as db:
            return shown_queues(db, now := now_s()), incidents_of(db, now), analysis_queue_of(db)
    except SQLAlchemyError as error:
        log.error("the database does not answer: %s", type(error).__name__)
        return None


def _workers(redis_url: str) -> tuple[int, tuple[Stopped, ...]] | None:
    """Return how many matches can be played at a time and who has stopped, None if the broker does not answer."""
    found = ask_for_page(redis_url, lambda client: (count_slots(client), count_stopped(client, CAUSES)))
    if found is None:
        return None
    slots, stopped = found
    return slots, tuple(Stopped(*_probe_and_mend(cause), workers) for cause, workers in stopped.items())


def _probe_and_mend(cause: str) -> tuple[str, str]:
    """Return what fails for a cause, and what to do about it."""
    mend = f"{CAUSES[RELEASE]}. The site is {this_release()}." if cause == RELEASE else CAUSES[cause]
    return cause_label(cause), mend

"""Whether the house is open, for people: `/status`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import redis
from flask import Blueprint, Response, current_app, g, jsonify, render_template
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response as Answer

from gangland_ladder.common.release import this_release
from gangland_sandbox.doctor import ALL_MENDS, probe_of
from gangland_web.broker.link import count_slots
from gangland_web.broker.stopped import CAUSES, RELEASE, count_stopped, told_as
from gangland_web.core.clock import now_s
from gangland_web.core.table_formats import Form
from gangland_web.http.health import BROKER_TIMEOUT_S
from gangland_web.http.maintenance import closed_for
from gangland_web.http.sessions import database
from gangland_web.resources.status import Incident, Queue, incidents_of, queues_of
from gangland_web.resources.tables import Column, Kind, Sheet
from gangland_web.settings.config import Settings
from gangland_web.site.responses import part, sheet_file

pages = Blueprint("status", __name__)

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

    @property
    def ok(self) -> bool:
        """True when the site can do all its work."""
        return self.database and self.broker

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


@pages.get("/status.json")
def twin() -> Response:
    """Show the status page to machines."""
    health = health_now()
    return jsonify(
        {
            "schema": "gangland/status/1",
            "database": health.database,
            "broker": health.broker,
            "places": health.slots,
            "playing": health.playing,
            "waiting": health.scheduled,
            "queues": None if health.queues is None else [_told(queue) for queue in health.queues],
            "maintenance": closed_for(),
            "stopped": [asdict(stopped) for stopped in health.stopped],
        }
    )


@pages.get("/status.csv")
def queues_csv() -> Response:
    """Return what waits, for a spreadsheet; empty where it could not be asked."""
    rows = [asdict(queue) for queue in health_now().queues or ()]
    return sheet_file(Sheet("queues", "In the order in which they are played", QUEUES, rows), Form.CSV, "queues")


@pages.get("/status")
def page() -> str:
    """Show what answers, what waits and what went wrong lately."""
    return _rendered("status.html")


@pages.get("/status/live")
def live() -> Answer:
    """Return the part of the status page that changes."""
    return part(_rendered("status_live.html"), for_all=True)


def _rendered(template: str) -> str:
    health = health_now()
    if not health.database:
        g.setdefault("visitor", None)  # it is told that it does not answer, not asked who reads this
    return render_template(template, health=health, now=now_s())


def _told(queue: Queue) -> dict[str, Any]:
    """Return a queue as JSON values; `oldest_s` is how long its first match has waited."""
    waited = None if queue.since is None else round(max(0.0, now_s() - queue.since), 1)
    return {"purpose": queue.purpose, "waiting": queue.waiting, "playing": queue.playing, "oldest_s": waited}


def health_now() -> Health:
    """Ask the database and the broker how they are."""
    work = _work()
    told = _workers()
    queues, incidents = work or (None, ())
    slots, stopped = told or (None, ())
    return Health(work is not None, told is not None, slots, queues, stopped, incidents)


def _work() -> tuple[tuple[Queue, ...], tuple[Incident, ...]] | None:
    """Return what waits and what went wrong lately, None if the database does not answer."""
    try:
        with database().read() as db:
            return queues_of(db), incidents_of(db, now_s())
    except SQLAlchemyError as error:
        current_app.logger.error("health: the database does not answer: %s", type(error).__name__)
        return None


def _workers() -> tuple[int, tuple[Stopped, ...]] | None:
    """Return how many matches can be played at a time and who has stopped, None if the broker does not answer."""
    settings: Settings = current_app.extensions["gangland_settings"]
    if settings.redis_url is None:
        return None
    client = redis.Redis.from_url(
        settings.redis_url, socket_timeout=BROKER_TIMEOUT_S, socket_connect_timeout=BROKER_TIMEOUT_S
    )
    try:
        stopped = count_stopped(client, CAUSES)
        return count_slots(client), tuple(Stopped(*_told_of(cause), workers) for cause, workers in stopped.items())
    except (redis.RedisError, OSError) as error:
        current_app.logger.error("health: the broker does not answer: %s", type(error).__name__)
        return None
    finally:
        client.close()


def _told_of(cause: str) -> tuple[str, str]:
    """Return what fails for a cause, and what to do about it."""
    mend = f"{CAUSES[RELEASE]}. The site is {this_release()}." if cause == RELEASE else CAUSES[cause]
    return told_as(cause), mend

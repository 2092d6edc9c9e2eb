"""Whether the house is open: `/healthz` for machines, `/status` for people."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import redis
from flask import Blueprint, Response, current_app, jsonify, render_template
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, func, select

from gangland_sandbox.doctor import ALL_MENDS, probe_of
from gangland_web.broker.link import count_slots
from gangland_web.broker.stopped import count_stopped
from gangland_web.config import Settings
from gangland_web.matches.lifecycle import MatchState
from gangland_web.matches.models import Match
from gangland_web.web.sessions import database

pages = Blueprint("status", __name__)

_BROKER_TIMEOUT_S = 2.0


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
    scheduled: int | None
    playing: int | None
    stopped: tuple[Stopped, ...] = ()

    @property
    def ok(self) -> bool:
        """True when the site can do all its work."""
        return self.database and self.broker


@pages.get("/healthz")
def healthz() -> tuple[Response, int]:
    """Return 200 when database and broker answer, 503 when one does not."""
    health = _health()
    words = {True: "ok", False: "down"}
    body = {
        "status": words[health.ok],
        "database": words[health.database],
        "broker": words[health.broker],
    }
    return jsonify(body), 200 if health.ok else 503


@pages.get("/status.json")
def twin() -> Response:
    """Show the status page to machines."""
    health = _health()
    return jsonify(
        {
            "schema": "gangland/status/1",
            "database": health.database,
            "broker": health.broker,
            "places": health.slots,
            "playing": health.playing,
            "waiting": health.scheduled,
            "stopped": [asdict(stopped) for stopped in health.stopped],
        }
    )


@pages.get("/status")
def page() -> str:
    """Show what answers and what waits."""
    return render_template("status.html", health=_health())


def _health() -> Health:
    scheduled, playing = _matches() or (None, None)
    told = _workers()
    slots, stopped = told or (None, ())
    return Health(scheduled is not None, told is not None, slots, scheduled, playing, stopped)


def _matches() -> tuple[int, int] | None:
    """Return how many matches wait and how many are under way, None if the database does not answer."""
    counted = select(col(Match.state), func.count()).where(
        col(Match.state).in_([MatchState.SCHEDULED.value, MatchState.LEASED.value])
    )
    try:
        with database().read() as db:
            found = dict(db.exec(counted.group_by(col(Match.state))).all())
    except SQLAlchemyError as error:
        current_app.logger.error("health: the database does not answer: %s", type(error).__name__)
        return None
    return found.get(MatchState.SCHEDULED.value, 0), found.get(MatchState.LEASED.value, 0)


def _workers() -> tuple[int, tuple[Stopped, ...]] | None:
    """Return how many matches can be played at a time and who has stopped, None if the broker does not answer."""
    settings: Settings = current_app.extensions["gangland_settings"]
    if settings.redis_url is None:
        return None
    client = redis.Redis.from_url(
        settings.redis_url, socket_timeout=_BROKER_TIMEOUT_S, socket_connect_timeout=_BROKER_TIMEOUT_S
    )
    try:
        stopped = count_stopped(client, ALL_MENDS)
        return count_slots(client), tuple(
            Stopped(probe_of(cause), ALL_MENDS[cause], workers) for cause, workers in stopped.items()
        )
    except (redis.RedisError, OSError) as error:
        current_app.logger.error("health: the broker does not answer: %s", type(error).__name__)
        return None
    finally:
        client.close()

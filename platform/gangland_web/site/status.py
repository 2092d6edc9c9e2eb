"""The status page: whether the site plays, what waits and what stopped, also as JSON and CSV."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, g, jsonify, render_template
from werkzeug.wrappers import Response as Answer

from gangland_web.base.formats import Form, now_s
from gangland_web.queries.status import QUEUES, Health, Queue, health_now
from gangland_web.queries.tables import TableData
from gangland_web.site.responses import part, table_file
from gangland_web.web.middleware import closed_for
from gangland_web.web.requests import settings
from gangland_web.web.sessions import database

pages = Blueprint("status", __name__)


@pages.get("/status")
def page() -> str:
    """Show what answers, what waits and what went wrong lately."""
    return _rendered("status/status.html")


@pages.get("/status/live")
def live() -> Answer:
    """Return the part of the status page that changes."""
    return part(_rendered("status/status_live.html"), for_all=True)


@pages.get("/status.json")
def as_json() -> Response:
    """Return the status as JSON."""
    health = _health()
    return jsonify(
        {
            "schema": "gangland/status/1",
            "database": health.database,
            "writes": health.writes,
            "broker": health.broker,
            "slots": health.slots,
            "playing": health.playing,
            "waiting": health.scheduled,
            "queues": None if health.queues is None else [_queue_values(queue) for queue in health.queues],
            "analyses": None if health.analyses is None else asdict(health.analyses),
            "maintenance": closed_for(),
            "stopped": [asdict(stopped) for stopped in health.stopped],
        }
    )


@pages.get("/status.csv")
def queues_csv() -> Response:
    """Return the queues as a file; empty if they are not known."""
    queues = _health().queues or ()
    return table_file(TableData("queues", "In the order in which they are played", QUEUES, queues), Form.CSV, "queues")


def _rendered(template: str) -> str:
    health = _health()
    if not health.database:
        g.setdefault("visitor", None)  # a database that does not answer cannot be asked for the visitor
    return render_template(template, health=health, now=now_s())


def _queue_values(queue: Queue) -> dict[str, Any]:
    """Return a queue as JSON values; `oldest_s` is how long its first match has waited."""
    waited = None if queue.since is None else round(max(0.0, now_s() - queue.since), 1)
    return {"purpose": queue.purpose, "waiting": queue.waiting, "playing": queue.playing, "oldest_s": waited}


def _health() -> Health:
    return health_now(database(), settings().redis_url)

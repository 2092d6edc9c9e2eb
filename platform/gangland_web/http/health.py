"""Health for machines: `/healthz` is whether this process answers, `/readyz` whether the site can work."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from flask import Blueprint, Response, current_app, jsonify
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from gangland_web.broker.link import ask_for_page
from gangland_web.http.configured import settings
from gangland_web.http.sessions import database
from gangland_web.models.database import can_write, migrations_folder, revisions

pages = Blueprint("health", __name__)


@dataclass(frozen=True, slots=True)
class Ready:
    """What the site needs in order to work: each `ok` or `down`; tables of another version are `old` or `newer`.

    Attributes:
        writes: to the database; `down` where its disk is full.
    """

    database: str
    tables: str
    broker: str
    writes: str

    @property
    def ok(self) -> bool:
        """True when nothing is missing."""
        return {self.database, self.tables, self.broker, self.writes} == {"ok"}


@pages.get("/healthz")
def healthz() -> Response:
    """Return 200: this process is alive and answers.  Nothing else is asked, so nothing else can fail here."""
    return jsonify({"status": "ok"})


@pages.get("/readyz")
def readyz() -> tuple[Response, int]:
    """Return 200 when the database answers, with the newest tables, can be written to, and the broker answers; else
    503, and which does not.
    """
    ready = ready_now()
    status = "ok" if ready.ok else "down"
    body = {"status": status, "database": ready.database, "tables": ready.tables, "broker": ready.broker}
    body["writes"] = ready.writes
    return jsonify(body), 200 if ready.ok else 503


def ready_now() -> Ready:
    """Ask the database, its tables and the broker."""
    revision = _revision()
    tables = "down" if revision is None else _tables(revision)
    writes = revision is not None and can_write(database())
    return Ready(
        database="down" if revision is None else "ok",
        tables=tables,
        broker="ok" if _broker_answers() else "down",
        writes="ok" if writes else "down",
    )


def _tables(revision: str) -> str:
    newest, *older = known_revisions()
    if revision == newest:
        return "ok"
    return "old" if not revision or revision in older else "newer"


@cache
def known_revisions() -> tuple[str, ...]:
    """Return the revisions that this version knows, first the one after every migration."""
    known = tuple(revisions())
    if not known:
        raise FileNotFoundError(f"no migration in {migrations_folder()}")
    return known


def _revision() -> str | None:
    """Return the tables' revision, '' for a database without tables of ours, None for one that does not answer."""
    try:
        with database().read() as db:
            db.connection().execute(text("SELECT 1"))
    except SQLAlchemyError as error:
        current_app.logger.error("not ready: the database does not answer: %s", type(error).__name__)
        return None
    try:
        with database().read() as db:
            found = db.connection().execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    except SQLAlchemyError as error:
        current_app.logger.error("not ready: the database has no tables of ours: %s", type(error).__name__)
        return ""
    return "" if found is None else str(found)


def _broker_answers() -> bool:
    return bool(ask_for_page(settings().redis_url, lambda client: client.ping()))

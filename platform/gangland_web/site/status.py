"""The status page and its files: health, queues, stopped workers, and results of audits."""

from typing import Any

from flask import Blueprint, Response, g, render_template, url_for
from werkzeug.wrappers import Response as Answer

from gangland_web.base.formats import Format, now_s
from gangland_web.models.site import Fact, fact
from gangland_web.queries import status, tables
from gangland_web.site.serving import document, part, table_file
from gangland_web.web.middleware import maintenance_reason
from gangland_web.web.requests import settings
from gangland_web.web.sessions import database, reading, visitor

pages = Blueprint("status", __name__)


@pages.get("/status")
def page() -> str:
    """Show the health of the site, its queues, recent faults, and the results of audits."""
    health = _health()
    if not health.database:
        return _render(health)
    user = visitor()
    with reading() as db:
        return _render(
            health,
            audits=status.audit_totals(db),
            hosts=_hosts_table(status.audited_hosts(db)),
            differences=status.latest_differences(db) if user is not None and user.is_admin else None,
            percent=settings().audit_percent,
        )


@pages.get("/status/live")
def live() -> Answer:
    """Return the part of the status page that changes."""
    return part(_render(_health()), for_all=True)


@pages.get("/status.json")
def as_json() -> Answer:
    """Return the status as JSON."""
    return document("status", status.status_detail(_health(), maintenance_reason()))


@pages.get("/status.csv")
def queues_csv() -> Response:
    """Return the queues as a CSV file; empty if they are unknown."""
    queues = _health().queues or ()
    return table_file(status.QUEUES.of(queues), Format.CSV, "queues")


def _render(health: status.Health, **values: Any) -> str:
    maintenance = None
    if not health.database:
        g.setdefault("visitor", None)  # the database does not answer, so the visitor cannot be loaded
    elif maintenance_reason():
        with reading() as db:
            maintenance = fact(db, Fact.MAINTENANCE)
    files = {"csv": url_for("status.queues_csv"), "json": url_for("status.as_json")}
    queues = status.QUEUES.of(health.queues or (), "In the order in which they are played", **files)
    values |= {"health": health, "queues": queues, "maintenance": maintenance, "now": now_s()}
    return render_template("status/status.html", **values)


def _health() -> status.Health:
    return status.health_now(database(), settings().redis_url)


# The results of audits, which are public.


@pages.get("/audits.json")
def audits_json() -> Answer:
    """Return the audits of hosts as JSON."""
    with reading() as db:
        percent, hosts = settings().audit_percent, status.audited_hosts(db)
        return document("audits", status.AuditsDetail(percent=percent, audits=status.audit_totals(db), hosts=hosts))


@pages.get("/audits.csv")
def audits_csv() -> Response:
    """Return the audits of hosts as CSV."""
    with reading() as db:
        return table_file(_hosts_table(status.audited_hosts(db)), Format.CSV, "audits")


def _hosts_table(rows: list[status.AuditedHost]) -> tables.TableData:
    caption, csv = "Audits of each worker host since it was last allowed to play", url_for("status.audits_csv")
    return status.HOSTS.of(rows, caption, csv=csv, json=url_for("status.audits_json"))

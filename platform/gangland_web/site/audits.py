"""What audits found, for everybody: `/audits`."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, render_template, url_for
from werkzeug.wrappers import Response

from gangland_web.base.formats import Form
from gangland_web.queries.audits import HostRow, host_rows, latest_differences, totals
from gangland_web.queries.tables import Column, Kind, TableData
from gangland_web.site.responses import json_response, table_file
from gangland_web.web.requests import settings
from gangland_web.web.sessions import reading, visitor

pages = Blueprint("audits", __name__)

HOSTS: Final = (
    Column("host", "Host", of="name"),
    Column("standing", "Now"),
    Column("audits", "Results audited", Kind.WHOLE, of="tally.audits"),
    Column("left_out", "Games not compared", Kind.WHOLE, of="tally.left_out"),
    Column("owners", "Owners compared", Kind.WHOLE),
    Column("against", "Owners against it", Kind.WHOLE),
    Column("stopped_at", "Stopped", Kind.MOMENT, of="host.stopped_at"),
)


@pages.get("/audits.json")
def as_json() -> Response:
    """Show the page of audits to machines."""
    with reading() as db:
        hosts = _table(host_rows(db)).plain
        percent = settings().audit_percent
        return json_response({"schema": "gangland/audits/1", "percent": percent, "audits": totals(db), "hosts": hosts})


@pages.get("/audits.csv")
def hosts_csv() -> Response:
    """Return what audits say of the hosts, for a spreadsheet."""
    with reading() as db:
        return table_file(_table(host_rows(db)), Form.CSV, "audits")


@pages.get("/audits")
def page() -> str:
    """Show what audits are, what they found, and what they cannot show."""
    who, percent = visitor(), settings().audit_percent
    with reading() as db:
        rows = host_rows(db)
        found = latest_differences(db) if who is not None and who.is_admin else None
        return render_template(
            "audits.html", table=_table(rows), totals=totals(db), hosts=rows, found=found, percent=percent
        )


def _table(rows: list[HostRow]) -> TableData:
    caption, csv = "Each worker host, since the operator last let it play", url_for("audits.hosts_csv")
    return TableData("audits", caption, HOSTS, rows, csv=csv, json=url_for("audits.as_json"))

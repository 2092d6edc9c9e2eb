"""What audits found, for everybody: `/audits`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, render_template, url_for
from werkzeug.wrappers import Response

from gangland_web.core.table_formats import Form
from gangland_web.core.text import shown
from gangland_web.http.configured import settings
from gangland_web.http.sessions import reading, visitor
from gangland_web.resources.audits import HostRow, host_rows, latest_differences, totals
from gangland_web.resources.tables import Column, Kind, Sheet
from gangland_web.site.responses import sheet_file
from gangland_web.site.responses import twin as answer

pages = Blueprint("audits", __name__)

HOSTS: Final = (
    Column("host", "Host"),
    Column("standing", "Now"),
    Column("audits", "Results audited", Kind.WHOLE),
    Column("left_out", "Games not compared", Kind.WHOLE),
    Column("owners", "Owners compared", Kind.WHOLE),
    Column("against", "Owners against it", Kind.WHOLE),
    Column("stopped_at", "Stopped", Kind.MOMENT),
)


@pages.get("/audits.json")
def twin() -> Response:
    """Show the page of audits to machines."""
    with reading() as db:
        body = {"schema": "gangland/audits/1", "percent": _percent(), "audits": totals(db), "hosts": _sheet(db).plain}
    return answer(body)


@pages.get("/audits.csv")
def hosts_csv() -> Response:
    """Return what audits say of the hosts, for a spreadsheet."""
    with reading() as db:
        return sheet_file(_sheet(db), Form.CSV, "audits")


@pages.get("/audits")
def page() -> str:
    """Show what audits are, what they found, and what they cannot show."""
    seen_by = visitor()
    with reading() as db:
        rows = host_rows(db)
        found = latest_differences(db) if seen_by is not None and seen_by.is_admin else None
        return render_template(
            "audits.html", sheet=_of(rows), totals=totals(db), hosts=rows, found=found, percent=_percent()
        )


def _percent() -> int:
    return settings().audit_percent


def _sheet(db: Any) -> Sheet:
    return _of(host_rows(db))


def _of(rows: list[HostRow]) -> Sheet:
    return Sheet(
        "audits",
        "Each worker host, since the operator last let it play",
        HOSTS,
        [_row(row) for row in rows],
        csv=url_for("audits.hosts_csv"),
        json=url_for("audits.twin"),
    )


def _row(row: HostRow) -> Mapping[str, Any]:
    return {
        "host": shown(row.host.name),
        "standing": row.standing,
        "audits": row.tally.audits,
        "left_out": row.tally.left_out,
        "owners": len(row.tally.owners),
        "against": len(row.tally.against),
        "stopped_at": row.host.stopped_at,
    }

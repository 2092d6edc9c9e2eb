"""The page of the ladders' records."""

from __future__ import annotations

from flask import Blueprint, render_template
from werkzeug.wrappers import Response

from gangland_web.base.formats import Form
from gangland_web.queries.hall_of_fame import PROOFS, RECORD_ROWS, TITLES, records
from gangland_web.queries.tables import TableData
from gangland_web.site.responses import document, table_file
from gangland_web.web.caching import cached_page
from gangland_web.web.sessions import reading

pages = Blueprint("records", __name__)


@pages.get("/records")
def page() -> Response:
    """Show the records of all ladders, and what each is proven by."""
    with reading() as db:
        found = records(db)
    ongoing = [(row.bot_id, row.words) for row in found.records if row.going_on]

    def make() -> str:
        return render_template("records.html", found=found, titles=TITLES, proofs=PROOFS)

    return cached_page(repr(([row for row in found.records if not row.going_on], ongoing, found.uncounted)), make)


@pages.get("/records.json")
def as_json() -> Response:
    """Return the records as the API does; 304 when nothing has changed."""
    with reading() as db:
        return document("records", records(db))


@pages.get("/records.csv")
def as_csv() -> Response:
    """Hand out the records as a file."""
    with reading() as db:
        found = records(db).records
    return table_file(TableData("record-rows", "By kind, game and table size", RECORD_ROWS, found), Form.CSV, "records")

"""The schemas of all tables of pages that can be had as files, and their page of the documentation.

`python -m gangland_web.site.documentation.tables` prints that page.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, jsonify

from gangland_web.queries.documented import DOCUMENTED, PAGES
from gangland_web.queries.tables import document_schema

pages = Blueprint("schemas", __name__)
_HEAD: Final = """# Tables of pages

Every table and chart can be downloaded as `.csv` and `.json`, in the forms of [exports](exports.md), by everybody who
may see the page. `/schemas/NAME.1.json` has its columns; `?seats=` is the table size. [How the figures are
calculated](statistics.md).

<!-- Made by `python -m gangland_web.site.documentation.tables`. -->
"""


@pages.get("/schemas/<name>.1.json")
def schema(name: str) -> Response:
    """Return the JSON Schema of a page or of a table of one."""
    model = DOCUMENTED[name].model(name) if name in DOCUMENTED else PAGES.get(name)
    if model is None:
        abort(404, f"There is no schema of that name; there are {', '.join(sorted((*DOCUMENTED, *PAGES)))}.")
    return jsonify(document_schema(name, model))


def page() -> str:
    """Return the page of the documentation."""
    lines = [_HEAD]
    lines += [f"- `{name}`, `{table.address}`: {table.about}" for name, table in DOCUMENTED.items()]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    print(page(), end="")

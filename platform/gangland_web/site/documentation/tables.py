"""The schemas of all tables of pages that can be had as files, and their page of the documentation.

`python -m gangland_web.site.documentation.tables` prints that page.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, jsonify

from gangland_web.resources.documented import DOCUMENTED, PAGES
from gangland_web.resources.tables import Kind, document_schema

pages = Blueprint("schemas", __name__)


_KINDS: Final = {
    Kind.TEXT: "text",
    Kind.WHOLE: "whole number",
    Kind.INDEX: "whole number from 0",
    Kind.NUMBER: "number",
    Kind.SIGNED: "number",
    Kind.SHARE: "share, 0 to 1",
    Kind.MOMENT: "time in UTC",
    Kind.FLAG: "yes or no",
    Kind.FAULT: "kind of fault",
}
_HEAD: Final = """# Tables of pages

Every table and chart of the site can be downloaded: the links are under the table, and everybody who may see the page
may download its files. The forms are those of [exports](exports.md): CSV that is safe to open in a spreadsheet, and
JSON with `schema` and `rows`. The schema of `gangland/NAME/1` is at `/schemas/NAME.1.json` on every site.
[What the figures mean](statistics.md) says how they are calculated.

<!-- Made by `python -m gangland_web.site.documentation.tables`. -->
"""


@pages.get("/schemas/<name>.1.json")
def schema(name: str) -> Response:
    """Return the JSON Schema of a page or of a table of one."""
    model = DOCUMENTED[name].model(name) if name in DOCUMENTED else PAGES.get(name)
    if model is None:
        abort(404, f"There is no schema of that name; there are {', '.join(sorted((*DOCUMENTED, *PAGES)))}.")
    return jsonify(document_schema(name, model))


def written() -> str:
    """Return the page of the documentation."""
    lines = [_HEAD]
    for name, table in DOCUMENTED.items():
        lines.append(
            f"## {name}\n\n`{table.address}.csv`, `.json`: {table.about}\n\n| column | what it is | on the page |"
        )
        lines.append("|---|---|---|")
        for column in table.columns:
            on_page = "" if column.quiet or column.heading == column.key else column.heading
            lines.append(f"| `{column.key}` | {_KINDS[column.kind]} | {on_page} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(written(), end="")

"""The figures behind a table or a chart: said once, shown as a table, and handed out as CSV and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from gangland_web.core.table_formats import Form, Row, Value, encoded


class Kind(StrEnum):
    """What stands in a column."""

    TEXT = "text"
    WHOLE = "whole"
    NUMBER = "number"
    SIGNED = "signed"
    SHARE = "share"
    MOMENT = "moment"
    FLAG = "flag"


_TYPES: Mapping[Kind, str] = {
    Kind.TEXT: "string",
    Kind.WHOLE: "integer",
    Kind.NUMBER: "number",
    Kind.SIGNED: "number",
    Kind.SHARE: "number",
    Kind.MOMENT: "string",
    Kind.FLAG: "boolean",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name in files, its words on the page and what is in it.

    Attributes:
        digits: decimals on the page; files have all there are.
        quiet: in files alone.
    """

    key: str
    heading: str
    kind: Kind = Kind.TEXT
    digits: int = 2
    quiet: bool = False

    @property
    def is_figure(self) -> bool:
        """Whether its cells stand at the right, one below the other."""
        return self.kind in (Kind.WHOLE, Kind.NUMBER, Kind.SIGNED, Kind.SHARE)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: its rows have a value for each column.

    Attributes:
        name: what the rows are, such as "bot-history": the JSON document's schema is gangland/bot-history/1.
        caption: the sentence above it.
        links: of each row, where a column's cell leads; as many as there are rows, or none.
        shown: how many of the rows stand on the page; files have all of them.
        csv, json: addresses of its files.
    """

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: Sequence[Mapping[str, Value]]
    links: Sequence[Mapping[str, str]] = field(default=())
    shown: int | None = None
    csv: str = ""
    json: str = ""

    @property
    def lines(self) -> list[tuple[Mapping[str, Value], Mapping[str, str]]]:
        """The rows that stand on the page, each with where its cells lead."""
        links = self.links or [{} for _ in self.rows]
        return list(zip(self.rows, links, strict=True))[: self.shown]

    @property
    def seen(self) -> tuple[Column, ...]:
        """The columns that stand on the page."""
        return tuple(column for column in self.columns if not column.quiet)

    def pieces(self, form: Form) -> Iterator[bytes]:
        """Yield the whole table as a file."""
        return encoded(form, self.name, [column.key for column in self.columns], map(self._plain, self.rows))

    @property
    def plain(self) -> list[Row]:
        """The whole table as files have it."""
        return [self._plain(row) for row in self.rows]

    def _plain(self, row: Mapping[str, Value]) -> Row:
        return {column.key: _told(row[column.key], column.kind) for column in self.columns}


def _told(value: Value, kind: Kind) -> Value:
    """Return a value as files have it: a moment in UTC, to the second."""
    if kind is Kind.MOMENT and isinstance(value, int | float):
        return datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value


def schema_of(name: str, columns: Sequence[Column]) -> dict[str, Any]:
    """Return the JSON Schema of a table's JSON document."""
    row = {column.key: {"type": [_TYPES[column.kind], "null"]} for column in columns}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"gangland/{name}/1",
        "type": "object",
        "required": ["schema", "rows"],
        "additionalProperties": False,
        "properties": {
            "schema": {"const": f"gangland/{name}/1"},
            "rows": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": list(row),
                    "additionalProperties": False,
                    "properties": row,
                },
            },
        },
    }

"""The forms of an exported table: CSV, JSON and NDJSON, each row by row."""

import csv
import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from io import StringIO
from itertools import chain
from typing import Any, Final

import msgspec

from gangland_web.core.text import shown

Value = str | int | float | bool | None
Row = Mapping[str, Value]
"""One row: a value for each column; all rows of a table have the same columns, in the same order."""

PIECE_CHARS: Final = 1 << 16
_MOMENT: Final = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


class Form(StrEnum):
    """How a table is written."""

    CSV = "csv"
    JSON = "json"
    NDJSON = "ndjson"


MIMETYPES: Final = {Form.CSV: "text/csv", Form.JSON: "application/json", Form.NDJSON: "application/x-ndjson"}


def encoded(
    form: Form,
    name: str,
    columns: Sequence[str],
    rows: Iterable[Row],
    head: Mapping[str, Any] | None = None,
    *,
    spreadsheet: bool = False,
) -> Iterator[bytes]:
    """Yield a table piece by piece; no more than a piece is in memory.

    Text goes through `shown`, as on pages.  In CSV a text that a spreadsheet would take for a formula gets an
    apostrophe before it.

    Args:
        name: what the rows are, such as "matches": the JSON document's schema is gangland/matches/1.
        head: what the JSON document says beside its rows.
        spreadsheet: CSV as a spreadsheet reads it without being told how: with a byte order mark, by which it knows
            UTF-8, and times that it takes for times.
    """
    match form:
        case Form.CSV:
            lines = (
                chain([BOM_UTF8.decode()], _csv(columns, rows, _spreadsheet_cell))
                if spreadsheet
                else _csv(columns, rows)
            )
        case Form.JSON:
            lines = _json(name, columns, rows, head or {})
        case _:
            lines = (_object(columns, row) + "\n" for row in rows)  # NDJSON
    piece: list[str] = []
    size = 0
    for line in lines:
        piece.append(line)
        size += len(line)
        if size >= PIECE_CHARS:
            yield "".join(piece).encode()
            piece, size = [], 0
    if piece:
        yield "".join(piece).encode()


def _csv(columns: Sequence[str], rows: Iterable[Row], cell: Callable[[Value], str] | None = None) -> Iterator[str]:
    cell = cell or _cell
    line = StringIO()
    writer = csv.writer(line)

    def written(cells: Iterable[object]) -> str:
        writer.writerow(cells)
        text = line.getvalue()
        line.seek(0)
        line.truncate()
        return text

    yield written(columns)
    for row in rows:
        yield written(cell(row[column]) for column in columns)


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = shown(value)
        return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text
    return repr(value)


def _spreadsheet_cell(value: Value) -> str:
    """Return a cell as spreadsheets have them: a time without letters; TRUE and FALSE."""
    if isinstance(value, bool):
        return str(value).upper()
    text = _cell(value)
    return f"{found[1]} {found[2]}" if (found := _MOMENT.fullmatch(text)) else text


def _json(name: str, columns: Sequence[str], rows: Iterable[Row], head: Mapping[str, Any]) -> Iterator[str]:
    before = json.dumps({"schema": f"gangland/{name}/1", **head}, separators=(",", ":"))
    yield f'{before[:-1]},"rows":['
    for number, row in enumerate(rows):
        yield ("," if number else "") + "\n" + _object(columns, row)
    yield "\n]}\n"


def _object(columns: Sequence[str], row: Row) -> str:
    plain = {column: shown(value) if type(value := row[column]) is str else value for column in columns}
    return _ENCODER.encode(plain).decode()


_ENCODER: Final = msgspec.json.Encoder()

"""Format values for pages and programs, read the clock, and encode tables as CSV, JSON or NDJSON."""

import csv
import json
import re
import time
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import lru_cache
from io import StringIO
from itertools import chain
from math import ceil
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, overload

import msgspec
from markupsafe import Markup
from msgspec import Meta

from gangland.faults import FaultKind
from gangland.games import GAME_NAMES, game_named
from gangland_ladder.common.texts import counted, format_number
from gangland_web.base.text import shown

# Types of members of requests and responses, with the constraints that the schemas show.


if TYPE_CHECKING:
    Game = str
else:
    Game = Literal[tuple(sorted(GAME_NAMES))]
Seats = Literal[2, 3, 4]
Moment = Annotated[
    str,
    Meta(
        pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$",
        description="A time in UTC, to the second.",
        examples=["2027-03-01T18:00:00Z"],
        extra_json_schema={"format": "date-time"},
    ),
]
PLAIN: Final = r"^[^\u0000-\u001f\u007f]*$"  # a line of text in a request, without control characters


# The clock that the database's times come from, and the format of times and days for programs.

DAY_S: Final = 86_400


def now_s() -> float:
    """Return the Unix time in seconds."""
    return time.time()


@overload
def timestamp(at: float) -> str: ...


@overload
def timestamp(at: float | None) -> str | None: ...


def timestamp(at: float | None) -> str | None:
    """Return a Unix time as RFC 3339 text, in UTC and whole seconds, such as 2027-03-01T18:00:00Z."""
    return None if at is None else moment_text(datetime.fromtimestamp(at, UTC))


def moment_text(at: datetime) -> str:
    """Return a UTC time in the format of `timestamp`.  Faster than strftime, for lists with hundreds of times."""
    return f"{at.year:04}-{at.month:02}-{at.day:02}T{at.hour:02}:{at.minute:02}:{at.second:02}Z"


def day_text(day: int) -> str:
    """Return a day, counted from 1970-01-01, as text such as 2027-03-01."""
    return datetime.fromtimestamp(day * DAY_S, UTC).date().isoformat()


def read_day(text: str) -> int | None:
    """Return a day such as 2027-03-01 as a count from 1970-01-01, or None if the text is not a day."""
    try:
        return (datetime.strptime(text, "%Y-%m-%d").date() - date(1970, 1, 1)).days  # noqa: DTZ007 (a day has no zone)
    except ValueError:
        return None


# Labels, times and numbers on pages.

GAME_TITLES = {name: game_named(name).title for name in GAME_NAMES}  # in the order in which pages list them

# Labels for the states of matches, tournaments and versions; other states are shown by name.
STATE_LABELS = {
    "scheduled": "queued",
    "leased": "under way",
    "done": "finished",
    "open": "entries open",
    "frozen": "entries closed",
    "playing": "under way",
    "revealed": "completed",
    "cancelled": "canceled",
    "received": "waiting for its check",
    "scanned": "being checked",
    "imported": "being checked",
    "legal": "being checked",
    "timed": "on trial",
    "trial": "on trial",
}

_TWO_DIGITS = tuple(f"{number:02}" for number in range(60))
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def fault_label(kind: str) -> str:
    """Return the label of a kind of fault; a fault that no bot can cause is called a platform fault."""
    try:
        return FaultKind(kind).plain
    except ValueError:
        return "platform fault"


def moment(at: float | str | None, *, exact: bool = False) -> Markup:
    """Return an HTML time element in UTC for a Unix time or a `timestamp`; `exact` adds the seconds."""
    # A script converts it to the viewer's time zone, in the same format (static/js/times.js).
    return Markup(time_element(at, exact=exact))  # noqa: S704  # only digits


@lru_cache(maxsize=8192)
def time_element(at: float | str | None, *, exact: bool = False) -> str:
    """Return the text of `moment`, for callers that build markup themselves."""
    if at is None:
        return ""
    when = datetime.fromisoformat(at).astimezone(UTC) if isinstance(at, str) else datetime.fromtimestamp(at, UTC)
    day, clock = _TWO_DIGITS[when.day], f"{_TWO_DIGITS[when.hour]}:{_TWO_DIGITS[when.minute]}"
    if exact:
        clock += f":{_TWO_DIGITS[when.second]}"
    return f'<time datetime="{moment_text(when)}">{day} {_MONTHS[when.month - 1]} {when.year} {clock} UTC</time>'


def day(at: float) -> str:
    """Return the day (UTC) of a Unix time."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")


def seconds(value: float | None) -> str:
    """Return a duration as text for a page."""
    if value is None:
        return ""
    if value < 1:
        return f"{value * 1000:.0f} ms" if value >= 0.0005 else "under 1 ms"
    if value < 120:
        return f"{value:.1f} s"
    if value < 7200:
        return f"{value / 60:.0f} min"
    return f"{value / 3600:.0f} h" if value < 48 * 3600 else counted(value / 86400, "day", ".0f")


def waiting_time(value_s: float) -> str:
    """Return a waiting time as text, rounded up, such as "50 minutes"."""
    if value_s < 60:
        return counted(ceil(value_s), "second")
    minutes = ceil(value_s / 60)
    return counted(minutes, "minute") if minutes < 120 else counted(ceil(minutes / 60), "hour")


def state_label(state: str) -> str:
    """Return the label of a state of a match, a tournament or a version."""
    return STATE_LABELS.get(state, state)


def signed(value: float) -> str:
    """Return a number with its sign; a number that rounds to zero has no sign."""
    return format_number(value, "+.2f")


def number(value: float, digits: int = 2) -> str:
    """Return a number with `digits` decimals."""
    return format_number(value, f".{digits}f")


def whole(value: int) -> str:
    """Return a whole number with thousands separators."""
    return f"{value:,}"


# Exported tables, row by row.

Value = str | int | float | bool | None
Row = Mapping[str, Value]  # a value for each column; all rows of a table have the same columns, in the same order

PIECE_CHARS: Final = 1 << 16
_MOMENT: Final = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


class Format(StrEnum):
    """The format of a table."""

    CSV = "csv"
    JSON = "json"
    NDJSON = "ndjson"


MIMETYPES: Final = {Format.CSV: "text/csv", Format.JSON: "application/json", Format.NDJSON: "application/x-ndjson"}


def encode_table(
    form: Format,
    name: str,
    columns: Sequence[str],
    rows: Iterable[Row],
    head: Mapping[str, Any] | None = None,
    *,
    spreadsheet: bool = False,
) -> Iterator[bytes]:
    """Yield an encoded table piece by piece, so that only one piece is in memory; `shown` makes text safe to display.

    Args:
        name: the name of the rows, such as "matches" in a JSON document with the schema gangland/matches/1.
        head: the members of the JSON document other than the rows.
        spreadsheet: whether a spreadsheet should be able to open the CSV without settings; adds a byte order mark for
            UTF-8, and writes times in a format that spreadsheets recognize.
    """
    match form:
        case Format.CSV:
            lines = (
                chain([BOM_UTF8.decode()], _csv(columns, rows, _spreadsheet_cell))
                if spreadsheet
                else _csv(columns, rows)
            )
        case Format.JSON:
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
        # A spreadsheet would treat such a text as a formula.
        return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text
    return repr(value)


def _spreadsheet_cell(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    text = _cell(value)
    return f"{match[1]} {match[2]}" if (match := _MOMENT.fullmatch(text)) else text


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

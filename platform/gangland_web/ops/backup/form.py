"""The form of a backup: lines of JSON under zstd, a header first, then each table's rows, the counts and a hash last.

A row is a list, in the order of its table's columns.  JSON values stand as the text that the database holds, bytes as
base64; everything else as itself.  So the same file comes out of either kind of database, and goes into either.
"""

from __future__ import annotations

import json
import math
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, inspect
from sqlalchemy.types import JSON, Boolean, Float, Integer, LargeBinary, String, TypeEngine

FORM: Final = "gangland/backup-file/1"
REVISION_TABLE: Final = "alembic_version"
"""The migrations' own table: the header says what is in it."""


LINE_BYTES: Final = 64 * 1024 * 1024
"""More than any row of a backup has."""
INTEGERS: Final = range(-(2**63), 2**63)
MADE_AT: Final = 253_402_300_800.0
"""The year 10000, in Unix seconds."""
_ODD: Final = (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError)
"""What reading ends in of something that no backup has."""


class BackupRefused(ValueError):
    """A backup that cannot be taken or used; the message says what was expected."""


class Kind(StrEnum):
    """What a column holds, alike on both kinds of databases."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    FLOAT = "float"
    TEXT = "text"
    JSON = "json"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True)
class Shape:
    """A table: its columns with what they hold, and those of its primary key."""

    name: str
    columns: tuple[tuple[str, Kind], ...]
    key: tuple[str, ...]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What each column holds."""
        return tuple(kind for _, kind in self.columns)


@dataclass(frozen=True, slots=True)
class Results:
    """A digest of what was recorded, and of what: `matches` that are over, the last of them `up_to` (None if none)."""

    sha256: str
    matches: int
    up_to: int | None


@dataclass(frozen=True, slots=True)
class Header:
    """What stands first in a backup.

    Attributes:
        release: of the platform that took it.
        revision: that the tables were at.
        made_at: Unix seconds.
    """

    release: str
    revision: str
    made_at: float
    results: Results
    tables: tuple[Shape, ...]


_KINDS: Final[tuple[tuple[type[TypeEngine[Any]], Kind], ...]] = (
    (JSON, Kind.JSON),
    (Boolean, Kind.BOOLEAN),
    (Integer, Kind.INTEGER),
    (Float, Kind.FLOAT),
    (LargeBinary, Kind.BYTES),
    (String, Kind.TEXT),
)


def shapes(connection: Connection) -> tuple[Shape, ...]:
    """Return the tables that a database has now, by name.

    Raises:
        BackupRefused: one has a column of a kind that is none of ours.
    """
    found = inspect(connection)
    names = sorted(set(found.get_table_names()) - {REVISION_TABLE})
    return tuple(
        Shape(
            name,
            tuple((one["name"], _kind(name, one["name"], one["type"])) for one in found.get_columns(name)),
            tuple(found.get_pk_constraint(name)["constrained_columns"]),
        )
        for name in names
    )


def _kind(table: str, column: str, kind: TypeEngine[Any]) -> Kind:
    for known, named in _KINDS:
        if isinstance(kind, known):
            return named
    raise BackupRefused(f"the column {table}.{column} is {kind!r}, which no table of this platform has")


def header_line(header: Header) -> bytes:
    """Return the first line."""
    return _line({"form": FORM, **asdict(header)})


def table_line(name: str) -> bytes:
    """Return the line before a table's rows."""
    return _line({"table": name})


def row_line(values: Sequence[Any], kinds: Sequence[Kind]) -> bytes:
    """Return a row as a line; `values` as the database's driver gives them, JSON as text."""
    return _line(_each(_WRITE, values, kinds))


def end_line(rows: Mapping[str, int], sha256: str) -> bytes:
    """Return the last line: how many rows each table has, and the SHA-256 of all lines before."""
    return _line({"rows": dict(rows), "sha256": sha256})


def read_header(line: bytes) -> Header:
    """Read the first line.

    Raises:
        BackupRefused: it is none, or that of another form.
    """
    try:
        told = json.loads(line)
        form = told["form"]
    except _ODD as error:
        raise BackupRefused("it does not begin as a backup does") from error
    if form != FORM:
        raise BackupRefused(f"its form is {str(form)[:60]!r}, and this release reads {FORM!r}")
    try:
        tables = tuple(
            Shape(
                _text(one["name"]),
                tuple((_text(name), Kind(kind)) for name, kind in one["columns"]),
                tuple(map(_text, one["key"])),
            )
            for one in told["tables"]
        )
        results = told["results"]
        up_to = None if results["up_to"] is None else _integer(results["up_to"])
        digest = Results(_text(results["sha256"]), _integer(results["matches"]), up_to)
        made_at = _float(told["made_at"])
        if not 0 <= made_at < MADE_AT:
            raise ValueError(f"made at {made_at}")
        return Header(_text(told["release"]), _text(told["revision"]), made_at, digest, tables)
    except _ODD as error:
        raise BackupRefused(f"its first line is not whole: {str(error)[:200]}") from error


def read_mark(line: bytes) -> dict[str, Any]:
    """Read a line that is no row: the one before a table's, or the last.

    Raises:
        BackupRefused: it is neither.
    """
    try:
        told = json.loads(line)
    except _ODD as error:
        raise BackupRefused("a line of it is cut off or was changed") from error
    if not isinstance(told, dict):
        raise BackupRefused("a line of it is neither a table's beginning nor a row nor the end")
    return told


def read_row(line: bytes, kinds: Sequence[Kind]) -> list[Any]:
    """Return a row's values as a database's driver takes them, JSON as text.

    Raises:
        BackupRefused: it has not as many values as its table has columns, or one that such a column cannot hold.
    """
    try:
        return _each(_READ, json.loads(line), kinds)
    except _ODD as error:
        raise BackupRefused(f"a row of it is not whole: {str(error)[:200]}") from error


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"true or false was expected, not {_shown(value)}")
    return value


def _integer(value: Any) -> int:
    if type(value) is not int or value not in INTEGERS:
        raise TypeError(f"an integer of 64 bits was expected, not {_shown(value)}")
    return value


def _float(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise TypeError(f"a finite number was expected, not {_shown(value)}")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text was expected, not {_shown(value)}")
    value.encode()  # half a surrogate pair is no character
    return value


def _json(value: Any) -> str:
    json.loads(_text(value))
    return str(value)


def _shown(value: Any) -> str:
    return str(value)[:60]


_WRITE: Final[Mapping[Kind, Callable[[Any], Any]]] = {
    Kind.BOOLEAN: bool,
    Kind.BYTES: lambda value: b64encode(value).decode(),
}
_READ: Final[Mapping[Kind, Callable[[Any], Any]]] = {
    Kind.BOOLEAN: _boolean,
    Kind.INTEGER: _integer,
    Kind.FLOAT: _float,
    Kind.TEXT: _text,
    Kind.JSON: _json,
    Kind.BYTES: lambda value: b64decode(_text(value), validate=True),
}


def _each(turn: Mapping[Kind, Callable[[Any], Any]], values: Sequence[Any], kinds: Sequence[Kind]) -> list[Any]:
    return [
        turn[kind](value) if kind in turn and value is not None else value
        for value, kind in zip(values, kinds, strict=True)
    ]


def _line(told: object) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

"""The form of a backup: lines of JSON under zstd, a header first, then each table's rows, the counts and a hash last.

A row is a list, in the order of its table's columns.  JSON values stand as the text that the database holds, bytes as
base64; everything else as itself.  So the same file comes out of either kind of database, and goes into either.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Final

import msgspec
from sqlalchemy import Connection, inspect
from sqlalchemy.types import JSON, Boolean, Float, Integer, LargeBinary, String, TypeEngine

FORM: Final = "gangland/backup-file/1"
REVISION_TABLE: Final = "alembic_version"
"""The migrations' own table: the header says what is in it."""
LINE_BYTES: Final = 64 * 1024 * 1024
"""More than any row of a backup has."""
Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Moment = Annotated[float, msgspec.Meta(ge=0, lt=253_402_300_800)]
"""Unix seconds before the year 10000."""
_ODD: Final = (ValueError, RecursionError)
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
    matches: Int64
    up_to: Int64 | None


@dataclass(frozen=True, slots=True)
class Header:
    """What stands first in a backup.

    Attributes:
        release: of the platform that took it.
        revision: that the tables were at.
    """

    release: str
    revision: str
    made_at: Moment
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


def line_of(value: object) -> bytes:
    """Return a value as a line."""
    return msgspec.json.encode(value) + b"\n"


def row_line(values: Sequence[Any], kinds: Sequence[Kind]) -> bytes:
    """Return a row as a line; `values` as the database's driver gives them, JSON as text."""
    plain = [  # SQLite has no booleans
        bool(value) if kind is Kind.BOOLEAN and value is not None else value
        for value, kind in zip(values, kinds, strict=True)
    ]
    return line_of(plain)


def read_header(line: bytes) -> Header:
    """Read the first line.

    Raises:
        BackupRefused: it is none, or that of another form.
    """
    try:
        form = msgspec.json.decode(line, type=dict[str, Any]).get("form")
    except _ODD as error:
        raise BackupRefused("it does not begin as a backup does") from error
    if form != FORM:
        raise BackupRefused(f"its form is {str(form)[:60]!r}, and this release reads {FORM!r}")
    try:
        return msgspec.json.decode(line, type=Header)
    except _ODD as error:
        raise BackupRefused(f"its first line is not whole: {str(error)[:200]}") from error


def read_mark(line: bytes) -> dict[str, Any]:
    """Read a line that is no row: the one before a table's, or the last.

    Raises:
        BackupRefused: it is neither.
    """
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except _ODD as error:
        raise BackupRefused("a line of it is cut off or was changed") from error


def read_row(line: bytes, kinds: tuple[Kind, ...]) -> list[Any]:
    """Return a row's values as a database's driver takes them, JSON as text.

    Raises:
        BackupRefused: it has not as many values as its table has columns, or one that such a column cannot hold.
    """
    try:
        row = _decoder(kinds).decode(line)
        for value, kind in zip(row, kinds, strict=True):
            if kind is Kind.JSON and value is not None:
                json.loads(value)
    except _ODD as error:
        raise BackupRefused(f"a row of it is not whole: {str(error)[:200]}") from error
    return list(row)


_TYPES: Final[Mapping[Kind, Any]] = {
    Kind.BOOLEAN: bool,
    Kind.INTEGER: Int64,
    Kind.FLOAT: float,
    Kind.TEXT: str,
    Kind.JSON: str,
    Kind.BYTES: bytes,
}


@cache
def _decoder(kinds: tuple[Kind, ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(tuple[tuple(_TYPES[kind] | None for kind in kinds)])  # type: ignore[misc]

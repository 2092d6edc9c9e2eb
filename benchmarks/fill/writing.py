"""Write millions of rows: by COPY on PostgreSQL, by one prepared statement on SQLite, with all constraints checked."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import JSON, Column, Connection, Table, func, select

from gangland_web.models.columns import Table as Model

CHUNK = 20_000
Row = tuple[Any, ...]


def table_of(model: type[Model]) -> Table:
    """Return the table of a model."""
    table: Table = model.__table__  # type: ignore[attr-defined]
    return table


def write_rows(connection: Connection, model: type[Model], columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write rows with values for these columns; the other columns get the defaults of the model."""
    table = table_of(model)
    rest = [column for column in table.columns if column.name not in columns and _is_given(column)]
    defaults = tuple(_constant(column) for column in rest)
    names = [*columns, *(column.name for column in rest)]
    whole = (row + defaults for row in rows) if defaults else iter(rows)
    write = _copy if connection.dialect.name == "postgresql" else _insert
    write(connection, table.name, names, whole)


def _is_given(column: Column[Any]) -> bool:
    """Return whether a row must contain a column's default; computed ones may be left to the database."""
    default: Any = column.default
    return default is not None and not (default.is_callable and column.server_default is not None)


def _constant(column: Column[Any]) -> Any:
    default: Any = column.default
    return json.dumps(default.arg) if isinstance(column.type, JSON) else default.arg


def _insert(connection: Connection, table: str, names: Sequence[str], rows: Iterator[Row]) -> None:
    marks = ", ".join("?" * len(names))
    statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608 (names of our own)
    while chunk := list(islice(rows, CHUNK)):
        connection.exec_driver_sql(statement, chunk)


def _copy(connection: Connection, table: str, names: Sequence[str], rows: Iterator[Row]) -> None:
    raw: Any = connection.connection.cursor()
    with raw as cursor, cursor.copy(f"COPY {table} ({', '.join(names)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def settle(connection: Connection, models: Iterable[type[Model]]) -> None:
    """Make PostgreSQL continue its counters after the inserted ids, and update its statistics."""
    if connection.dialect.name != "postgresql":
        return
    for model in models:
        name = table_of(model).name
        if "id" in table_of(model).columns:
            of_table = table_of(model).c.id
            connection.execute(select(func.setval(func.pg_get_serial_sequence(name, "id"), func.max(of_table))))
        connection.exec_driver_sql(f"ANALYZE {name}")

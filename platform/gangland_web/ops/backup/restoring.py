"""Restoring a backup into an empty database: all of it or nothing, then up to the newest tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DataError, IntegrityError
from sqlmodel import Session, col, delete

from gangland import __version__
from gangland_web.models.accounts import SignIn
from gangland_web.models.database import Database, revisions, upgrade
from gangland_web.models.site import Fact, keep_fact, maintenance
from gangland_web.ops.backup.digest import results_digest
from gangland_web.ops.backup.form import BackupRefused, Header, Kind, Results, Shape, shapes
from gangland_web.ops.backup.reading import Source, examine, rows_of
from gangland_web.services.results import take_all_back

WRITE_ROWS: Final = 200


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored: the backup's header, the rows, the digest of results that the database has now.

    `returned` counts the matches that were under way and are played anew, `ended` the sign-ins that were ended;
    `maintenance` says why the site is under maintenance, as it was when the backup was taken, None if it is not.
    """

    header: Header
    rows: int
    results: Results
    returned: int
    ended: int
    maintenance: str | None

    @property
    def same(self) -> bool:
        """Whether the results are those of the site that the backup was taken of."""
        return self.results == self.header.results


def restore(database: Database, file: Source) -> Restored:
    """Examine a backup, then write all of it into an empty database, in one transaction.

    What was under way on the site that it was taken of is played anew, without counting an attempt; whoever was signed
    in signs in again.

    Raises:
        BackupRefused: the backup is none, is not whole, or of a newer release; or the database is not empty.
        OSError: the file cannot be read.
    """
    header = examine(file)
    if header.revision not in revisions():
        raise BackupRefused(
            f"it was taken by release {header.release}, whose tables (revision {header.revision}) this release"
            f" {__version__} does not know: restore it with release {header.release} or a newer one"
        )
    with database.engine.begin() as connection:
        _need_empty(connection)
        upgrade(connection, header.revision)
        _need_same(shapes(connection), header)
        rows = _load(connection, header, file)
        upgrade(connection)
        with Session(connection, join_transaction_mode="conditional_savepoint") as session:
            returned = take_all_back(session)
            ended = session.exec(delete(SignIn).where(col(SignIn.id).is_not(None))).rowcount
            fact = {"results": header.results.sha256, "up_to": header.results.up_to, "restored": True}
            keep_fact(session, Fact.BACKUP, fact, at=header.made_at)
            session.flush()
            results = results_digest(connection, header.results.up_to)
            restored = Restored(header, rows, results, returned, ended, maintenance(session))
            session.commit()
    return restored


def _need_empty(connection: Connection) -> None:
    if found := sorted(inspect(connection).get_table_names()):
        raise BackupRefused(
            f"the database is not empty: it has {len(found)} tables, such as {found[0]}."
            " A backup is restored into a new one: another --data folder, or what `createdb` made; nothing was changed"
        )


def _need_same(there: tuple[Shape, ...], header: Header) -> None:
    """See that the tables are those of the backup.  Raises BackupRefused."""
    mine = {shape.name: sorted(shape.columns) for shape in there}
    theirs = {shape.name: sorted(shape.columns) for shape in header.tables}
    if differing := sorted(name for name in {*mine, *theirs} if mine.get(name) != theirs.get(name)):
        raise BackupRefused(
            f"its tables are not those of revision {header.revision}: {', '.join(differing)};"
            " the database that it was taken of had been changed by hand"
        )


def _load(connection: Connection, header: Header, file: Source) -> int:
    known = {shape.name: shape for shape in header.tables}
    count = 0
    # Rows come in any order and as they are: at the end every reference is examined, and triggers would count again
    # what the rows have counted already.
    guard = _sqlite_guard if connection.dialect.name == "sqlite" else _postgresql_guard
    with guard(connection):
        for table, rows in _batches(rows_of(file, header)):
            names = [f"v{number}" for number in range(len(known[table].columns))]
            statement = text(_insert(connection, known[table], names))
            try:
                connection.execute(statement, [dict(zip(names, row, strict=True)) for row in rows])
            except (DataError, IntegrityError) as error:
                raise BackupRefused(f"a row of {table} is not taken: {str(error.orig).strip()}") from error
            count += len(rows)
        _set_sequences(connection, header)
    return count


def _batches(rows: Iterator[tuple[str, list[Any]]]) -> Iterator[tuple[str, list[list[Any]]]]:
    held: list[list[Any]] = []
    table = ""
    for name, row in rows:
        if held and (name != table or len(held) >= WRITE_ROWS):
            yield table, held
            held = []
        table = name
        held.append(row)
    if held:
        yield table, held


def _insert(connection: Connection, shape: Shape, names: list[str]) -> str:
    quote = connection.dialect.identifier_preparer.quote
    as_json = "CAST(:{} AS JSON)" if connection.dialect.name == "postgresql" else ":{}"
    values = [
        (as_json if kind == Kind.JSON else ":{}").format(name) for name, kind in zip(names, shape.kinds, strict=True)
    ]
    columns = ", ".join(quote(name) for name, _ in shape.columns)
    return f"INSERT INTO {quote(shape.name)} ({columns}) VALUES ({', '.join(values)})"  # noqa: S608 (names of tables)


@contextmanager
def _sqlite_guard(connection: Connection) -> Iterator[None]:
    triggers = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")).all()
    connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
    quote = connection.dialect.identifier_preparer.quote
    for name, _ in triggers:
        connection.exec_driver_sql(f"DROP TRIGGER {quote(name)}")
    yield
    for _, sql in triggers:
        connection.exec_driver_sql(sql)
    if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise BackupRefused(f"a row of {broken[0]} refers to a row of {broken[2]} that is not there")


@contextmanager
def _postgresql_guard(connection: Connection) -> Iterator[None]:
    quote = connection.dialect.identifier_preparer.quote
    tables = [quote(shape.name) for shape in shapes(connection)]
    keys = connection.execute(
        text(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conname"
        )
    ).all()
    for table, name, _ in keys:
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP CONSTRAINT {quote(name)}")
    for table in tables:
        connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    yield
    for table in tables:
        connection.exec_driver_sql(f"ALTER TABLE {table} ENABLE TRIGGER USER")
    for table, name, definition in keys:
        try:
            connection.exec_driver_sql(f"ALTER TABLE {table} ADD CONSTRAINT {quote(name)} {definition}")
        except IntegrityError as error:
            raise BackupRefused(
                f"a row of {table} refers to one that is not there: {str(error.orig).strip()}"
            ) from error


def _set_sequences(connection: Connection, header: Header) -> None:
    """Have PostgreSQL number new rows behind those that are there; SQLite does by itself."""
    if connection.dialect.name != "postgresql":
        return
    for shape in header.tables:
        if dict(shape.columns).get("id") == Kind.INTEGER and shape.key == ("id",):
            highest = f'(SELECT max(id) FROM "{shape.name}")'  # noqa: S608 (names of tables)
            sequence = f"pg_get_serial_sequence('{shape.name}', 'id')"
            connection.exec_driver_sql(f"SELECT setval({sequence}, {highest}) WHERE {highest} IS NOT NULL")

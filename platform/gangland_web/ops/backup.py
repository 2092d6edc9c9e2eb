"""Back up and restore the whole database as one file, for both SQLite and PostgreSQL."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256
from io import BufferedReader
from pathlib import Path
from typing import IO, Annotated, Any, Final
from typing import cast as cast_type

import msgspec
from sqlalchemy import Connection, Text, and_, bindparam, cast, inspect, or_, select, text
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.types import JSON, Boolean, Float, Integer, LargeBinary, String, TypeEngine
from sqlmodel import Session, col, delete
from zstandard import ZstdCompressor, ZstdDecompressor, ZstdError

from gangland import __version__
from gangland_web.base.formats import now_s
from gangland_web.models.accounts import SignIn
from gangland_web.models.database import Database, revision_of, revisions, upgrade
from gangland_web.models.matches import OVER, Match, MatchSeat, PlayedGame, Purpose
from gangland_web.models.site import Fact, maintenance, store_fact
from gangland_web.services.jobs import requeue_all

# The format is lines of JSON, compressed with zstd: a header, the rows of each table, then the counts and a hash.
#
# A row is a list, in the order of the table's columns. JSON values are written as the text stored in the database, and
# bytes as base64; all other values are unchanged. So both kinds of database write and read the same format.

FORM: Final = "gangland/backup-file/1"
REVISION_TABLE: Final = "alembic_version"  # the table of the migrations; its content is in the header
BATCH_ROWS: Final = 200  # rows in memory; a match's games with all logs are several hundred KiB
LINE_BYTES: Final = 64 * 1024 * 1024  # longer than any row of a backup
Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Moment = Annotated[float, msgspec.Meta(ge=0, lt=253_402_300_800)]  # Unix seconds, before the year 10000
_DECODE_ERRORS: Final = (ValueError, RecursionError)  # errors raised by content that is not from a backup


class BackupRefused(ValueError):
    """A backup cannot be taken or used; the message says why."""


class Kind(StrEnum):
    """The type of a column, the same on both databases."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    FLOAT = "float"
    TEXT = "text"
    JSON = "json"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True)
class Shape:
    """A table: its columns with their types, and the columns of its primary key."""

    name: str
    columns: tuple[tuple[str, Kind], ...]
    key: tuple[str, ...]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The types of the columns."""
        return tuple(kind for _, kind in self.columns)


@dataclass(frozen=True, slots=True)
class Results:
    """A digest of the results of finished matches."""

    sha256: str
    matches: Int64  # their number
    up_to: Int64 | None  # the id of the last one


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a backup."""

    release: str  # of the platform that made the backup
    revision: str  # of the tables
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
    """Return the tables of a database, by name.  Raises BackupRefused: a column has an unknown kind."""
    inspector = inspect(connection)
    names = sorted(set(inspector.get_table_names()) - {REVISION_TABLE})
    return tuple(
        Shape(
            name,
            tuple((info["name"], _kind(name, info["name"], info["type"])) for info in inspector.get_columns(name)),
            tuple(inspector.get_pk_constraint(name)["constrained_columns"]),
        )
        for name in names
    )


def _kind(table: str, column: str, kind: TypeEngine[Any]) -> Kind:
    for column_type, column_kind in _KINDS:
        if isinstance(kind, column_type):
            return column_kind
    raise BackupRefused(f"the column {table}.{column} has the unknown type {kind!r}")


def line_of(value: object) -> bytes:
    """Return a value as a line of JSON."""
    return msgspec.json.encode(value) + b"\n"


def row_line(values: Sequence[Any], kinds: Sequence[Kind]) -> bytes:
    """Return a row as a line; `values` are those of the database driver, with JSON as text."""
    plain = [  # SQLite has no booleans
        bool(value) if kind is Kind.BOOLEAN and value is not None else value
        for value, kind in zip(values, kinds, strict=True)
    ]
    return line_of(plain)


def read_header(line: bytes) -> Header:
    """Parse the first line.  Raises BackupRefused."""
    try:
        form = msgspec.json.decode(line, type=dict[str, Any]).get("form")
    except _DECODE_ERRORS as error:
        raise BackupRefused("it is not a backup") from error
    if form != FORM:
        raise BackupRefused(f"expected the form {FORM!r}, not {str(form)[:60]!r}")
    try:
        return msgspec.json.decode(line, type=Header)
    except _DECODE_ERRORS as error:
        raise BackupRefused(f"its first line is damaged: {str(error)[:200]}") from error


def read_mark(line: bytes) -> dict[str, Any]:
    """Parse the line before a table's rows, or the last line.  Raises BackupRefused."""
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except _DECODE_ERRORS as error:
        raise BackupRefused("a line is cut off or was changed") from error


def read_row(line: bytes, kinds: tuple[Kind, ...]) -> list[Any]:
    """Return a row's values for the database driver, with JSON as text.  Raises BackupRefused."""
    try:
        row = _decoder(kinds).decode(line)
        for value, kind in zip(row, kinds, strict=True):
            if kind is Kind.JSON and value is not None:
                json.loads(value)
    except _DECODE_ERRORS as error:
        raise BackupRefused(f"a row is damaged: {str(error)[:200]}") from error
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


# The digest of results: equal for two databases whose matches had the same results, regardless of host and time.
#
# It leaves out times, tokens, attempts, logs, ratings, checks, audits and private matches, which are not kept. A replay
# is represented by the digest that its match got when it was recorded, so the digest stays the same as long as the
# match is kept, with or without its replays.

READ_ROWS: Final = 500

_ORDER: Final = (col(Match.tournament_id), col(Match.number))
_IS_OVER: Final = and_(
    col(Match.state).in_(OVER),
    col(Match.purpose).not_in([Purpose.CHECK.value, Purpose.AUDIT.value]),
    col(Match.key).is_(None),
)
_OVER_IN_TIME: Final = or_(
    col(Match.done_at) < bindparam("at"),
    and_(col(Match.done_at) == bindparam("at"), col(Match.id) <= bindparam("last")),
)
_FINISHED: Final = select(col(Match.id), col(Match.done_at)).where(_IS_OVER)
_STATEMENTS: Final[tuple[Any, ...]] = (
    select(*_ORDER, *(getattr(Match, name) for name in ("state", "seed_digest", "digest", "void_reason")))
    .where(_IS_OVER, _OVER_IN_TIME)
    .order_by(*_ORDER),
    select(
        *_ORDER,
        *(getattr(MatchSeat, name) for name in ("position", "entry_id", "mean_place_num", "mean_place_den")),
        *(getattr(MatchSeat, name) for name in ("wins", "faults")),
    )
    .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
    .where(_IS_OVER, _OVER_IN_TIME)
    .order_by(*_ORDER, col(MatchSeat.position)),
    select(
        *_ORDER,
        *(getattr(PlayedGame, name) for name in ("block", "rotation", "views")),
        *(cast(getattr(PlayedGame, name), Text) for name in ("seating", "places", "faults")),
    )
    .join(PlayedGame, col(PlayedGame.match_id) == Match.id)
    .where(_IS_OVER, _OVER_IN_TIME)
    .order_by(*_ORDER, col(PlayedGame.block), col(PlayedGame.rotation)),
)


def results_digest(connection: Connection, up_to: int | None = None) -> Results:
    """Return the digest of all matches that were over when match `up_to` ended, by default of all finished matches.

    Matches are ordered by the time of recording, so later results do not change the digest, unless an organizer has an
    earlier match replayed or removed.  Raises BackupRefused: `up_to` is not the number of one of these matches.
    """
    if up_to is None:
        last = connection.execute(
            _FINISHED.order_by(col(Match.done_at).desc(), col(Match.id).desc()).limit(1)
        ).one_or_none()
    else:
        last = connection.execute(_FINISHED.where(col(Match.id) == up_to)).one_or_none()
        if last is None:
            raise BackupRefused(f"expected a recorded match: match {up_to} is not over or does not exist")
    if last is None:
        return Results(sha256().hexdigest(), 0, None)
    digest, matches = sha256(), 0
    for number, statement in enumerate(_STATEMENTS):
        bound = {"last": last.id, "at": last.done_at}
        for row in connection.execute(statement, bound, execution_options={"yield_per": READ_ROWS}):
            digest.update(json.dumps(list(row), separators=(",", ":")).encode() + b"\n")
            matches += number == 0
        digest.update(b"\n")
    return Results(digest.hexdigest(), matches, last.id)


# Writing a backup: a consistent snapshot, read in pieces while the site continues to run.

ZSTD_LEVEL: Final = 6


def take_backup(database: Database, stream: IO[bytes]) -> Header:
    """Write a consistent snapshot of the database without blocking writers.  Raises BackupRefused."""
    with (
        database.read() as session,
        ZstdCompressor(ZSTD_LEVEL, write_checksum=True).stream_writer(stream, closefd=False) as out,
    ):
        connection = session.connection()
        revision = revision_of(connection)
        if revision is None:
            raise BackupRefused("this database has no installation")
        results = results_digest(connection)
        header = Header(__version__, revision, now_s(), results, shapes(connection))
        digest = sha256()
        rows = {shape.name: 0 for shape in header.tables}
        for name, line in _backup_lines(connection, header):
            digest.update(line)
            out.write(line)
            if name is not None:
                rows[name] += 1
        out.write(line_of({"rows": rows, "sha256": digest.hexdigest()}))
    return header


def _backup_lines(connection: Connection, header: Header) -> Iterator[tuple[str | None, bytes]]:
    yield None, line_of({"form": FORM, **asdict(header)})
    for shape in header.tables:
        yield None, line_of({"table": shape.name})
        statement = text(_select(connection, shape))
        for row in connection.execute(statement, execution_options={"yield_per": BATCH_ROWS}):
            yield shape.name, row_line(row, shape.kinds)


def _select(connection: Connection, shape: Shape) -> str:
    quote = connection.dialect.identifier_preparer.quote
    columns = [f"CAST({quote(name)} AS TEXT)" if kind == Kind.JSON else quote(name) for name, kind in shape.columns]
    order = ", ".join(map(quote, shape.key))
    return f"SELECT {', '.join(columns)} FROM {quote(shape.name)} ORDER BY {order}"  # noqa: S608 (names of tables)


# Reading a backup, which must be complete and unchanged.

READ_BYTES: Final = 1024 * 1024

Source = Path | IO[bytes]  # A file name or an open file; a file that is not seekable can only be read once.


def examine(file: Source) -> Header:
    """Read and check a whole backup, and return its header.  Raises BackupRefused, and OSError if it is unreadable."""
    with _lines(file) as lines:
        line = next(lines, b"")
        header = read_header(line)
        digest, rows, table = sha256(line), {shape.name: 0 for shape in header.tables}, ""
        for line in lines:
            if line.startswith(b"["):
                if table not in rows:
                    raise BackupRefused("a row belongs to no table")
                rows[table] += 1
            elif "table" in (mark := read_mark(line)):
                table = str(mark["table"])
            else:
                if mark.get("rows") != rows or mark.get("sha256") != digest.hexdigest():
                    raise BackupRefused("it was changed: its rows do not match its last line")
                if next(lines, None) is not None:
                    raise BackupRefused("there is data after its end")
                return header
            digest.update(line)
    raise BackupRefused("its end is missing: it was cut off")


def rows_of(file: Source, header: Header) -> Iterator[tuple[str, list[Any]]]:
    """Yield the rows of an examined backup, each with the name of its table.  Raises BackupRefused."""
    kinds = {shape.name: shape.kinds for shape in header.tables}
    with _lines(file) as lines:
        next(lines)
        table = ""
        for line in lines:
            if line.startswith(b"["):
                yield table, read_row(line, kinds[table])
            else:
                table = str(read_mark(line).get("table", ""))


@contextmanager
def _lines(file: Source) -> Iterator[Iterator[bytes]]:
    if not isinstance(file, Path) and file.seekable():
        file.seek(0)
    opened = file.open("rb") if isinstance(file, Path) else nullcontext(file)
    with opened as packed, ZstdDecompressor().stream_reader(packed, read_size=READ_BYTES, closefd=False) as reader:
        yield _split(BufferedReader(cast_type("Any", reader), READ_BYTES))


def _split(stream: BufferedReader) -> Iterator[bytes]:
    while True:
        try:
            line = stream.readline(LINE_BYTES)
        except ZstdError as error:
            raise BackupRefused(f"it is not a backup, or was changed: {error}") from error
        if not line:
            return
        if len(line) == LINE_BYTES:
            raise BackupRefused(f"a line has more than {LINE_BYTES} bytes")
        if not line.endswith(b"\n"):
            raise BackupRefused("a line is cut off")
        yield line


# Restoring into an empty database, in one transaction, followed by an upgrade to the newest tables.


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore."""

    header: Header  # of the backup
    rows: int  # the number of rows
    results: Results  # after the restore
    returned: int  # matches that were under way and will be played from scratch
    ended: int  # sign-ins that were ended
    maintenance: str | None  # the reason for maintenance at the time of the backup

    @property
    def same(self) -> bool:
        """Whether the results equal those of the site that made the backup."""
        return self.results == self.header.results


def restore(database: Database, file: Source) -> Restored:
    """Examine a backup, then write it into an empty database, in one transaction.

    Matches that were under way are played from scratch, without counting an attempt; all sign-ins end.  Raises
    BackupRefused: the file is not a usable backup, or the database is not empty; OSError: it cannot be read.
    """
    header = examine(file)
    if header.revision not in revisions():
        raise BackupRefused(
            f"release {__version__} does not know its tables (revision {header.revision}): restore it with release "
            f"{header.release} or newer"
        )
    with database.engine.begin() as connection:
        _check_empty(connection)
        upgrade(connection, header.revision)
        _check_tables(shapes(connection), header)
        rows = _load(connection, header, file)
        upgrade(connection)
        with Session(connection, join_transaction_mode="conditional_savepoint") as session:
            returned = len(requeue_all(session))
            ended = session.exec(delete(SignIn).where(col(SignIn.id).is_not(None))).rowcount
            fact = {"results": header.results.sha256, "up_to": header.results.up_to, "restored": True}
            store_fact(session, Fact.BACKUP, fact, at=header.made_at)
            session.flush()
            results = results_digest(connection, header.results.up_to)
            restored = Restored(header, rows, results, returned, ended, maintenance(session))
            session.commit()
    return restored


def _check_empty(connection: Connection) -> None:
    if tables := sorted(inspect(connection).get_table_names()):
        raise BackupRefused(
            f"the database is not empty: it has a table {tables[0]}. Nothing was changed. "
            "Use another --data folder, or a database that `createdb` has just created"
        )


def _check_tables(expected_tables: tuple[Shape, ...], header: Header) -> None:
    expected = {shape.name: sorted(shape.columns) for shape in expected_tables}
    stored = {shape.name: sorted(shape.columns) for shape in header.tables}
    if differing := sorted(name for name in {*expected, *stored} if expected.get(name) != stored.get(name)):
        raise BackupRefused(
            f"its tables are not those of revision {header.revision}: {', '.join(differing)};"
            " the source database was changed by hand"
        )


def _load(connection: Connection, header: Header, file: Source) -> int:
    known = {shape.name: shape for shape in header.tables}
    count = 0
    # Rows are inserted in any order and unchanged: references are only checked at the end, and triggers are off, since
    # they would count rows twice.
    guard = _sqlite_guard if connection.dialect.name == "sqlite" else _postgresql_guard
    with guard(connection):
        for table, rows in _batches(rows_of(file, header)):
            names = [f"v{number}" for number in range(len(known[table].columns))]
            statement = text(_insert(connection, known[table], names))
            try:
                connection.execute(statement, [dict(zip(names, row, strict=True)) for row in rows])
            except (DataError, IntegrityError) as error:
                raise BackupRefused(f"cannot insert a row of {table}: {str(error.orig).strip()}") from error
            count += len(rows)
        _set_sequences(connection, header)
    return count


def _batches(rows: Iterator[tuple[str, list[Any]]]) -> Iterator[tuple[str, list[list[Any]]]]:
    batch: list[list[Any]] = []
    table = ""
    for name, row in rows:
        if batch and (name != table or len(batch) >= BATCH_ROWS):
            yield table, batch
            batch = []
        table = name
        batch.append(row)
    if batch:
        yield table, batch


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
        raise BackupRefused(f"a row of {broken[0]} refers to a row of {broken[2]} that is missing")


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
            raise BackupRefused(f"a row of {table} refers to one that is missing: {str(error.orig).strip()}") from error


def _set_sequences(connection: Connection, header: Header) -> None:
    if connection.dialect.name != "postgresql":
        return
    for shape in header.tables:
        if dict(shape.columns).get("id") == Kind.INTEGER and shape.key == ("id",):
            highest = f'(SELECT max(id) FROM "{shape.name}")'  # noqa: S608 (names of tables)
            sequence = f"pg_get_serial_sequence('{shape.name}', 'id')"
            connection.exec_driver_sql(f"SELECT setval({sequence}, {highest}) WHERE {highest} IS NOT NULL")

"""Taking a backup: one consistent state, read in pieces while the site plays on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from typing import IO, Final

from sqlalchemy import Connection, text
from zstandard import ZstdCompressor

from gangland import __version__
from gangland_web.base.clock import now_s
from gangland_web.models.database import Database, revision_of
from gangland_web.ops.backup.digest import results_digest
from gangland_web.ops.backup.form import FORM, BackupRefused, Header, Kind, Shape, line_of, row_line, shapes

READ_ROWS: Final = 200
"""Rows that are held at once; a match's games with all their logs are some hundred KiB."""
LEVEL: Final = 6


def take_backup(database: Database, stream: IO[bytes]) -> Header:
    """Write everything that a database holds at one moment; nobody waits for it meanwhile.

    Raises:
        BackupRefused: it holds no installation.
    """
    with (
        database.read() as session,
        ZstdCompressor(LEVEL, write_checksum=True).stream_writer(stream, closefd=False) as out,
    ):
        connection = session.connection()
        header = _header(connection)
        whole = sha256()
        rows = {shape.name: 0 for shape in header.tables}
        for name, line in _lines(connection, header):
            whole.update(line)
            out.write(line)
            if name is not None:
                rows[name] += 1
        out.write(line_of({"rows": rows, "sha256": whole.hexdigest()}))
    return header


def _header(connection: Connection) -> Header:
    revision = revision_of(connection)
    if revision is None:
        raise BackupRefused("this database holds no installation")
    results = results_digest(connection)
    return Header(__version__, revision, now_s(), results, shapes(connection))


def _lines(connection: Connection, header: Header) -> Iterator[tuple[str | None, bytes]]:
    """Yield all lines but the last; each row's with the name of its table."""
    yield None, line_of({"form": FORM, **asdict(header)})
    for shape in header.tables:
        yield None, line_of({"table": shape.name})
        statement = text(_select(connection, shape))
        for row in connection.execute(statement, execution_options={"yield_per": READ_ROWS}):
            yield shape.name, row_line(row, shape.kinds)


def _select(connection: Connection, shape: Shape) -> str:
    quote = connection.dialect.identifier_preparer.quote
    columns = [f"CAST({quote(name)} AS TEXT)" if kind == Kind.JSON else quote(name) for name, kind in shape.columns]
    order = ", ".join(map(quote, shape.key))
    return f"SELECT {', '.join(columns)} FROM {quote(shape.name)} ORDER BY {order}"  # noqa: S608 (names of tables)

"""Reading a backup: whole and unchanged, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from hashlib import sha256
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, Final, cast

from zstandard import ZstdDecompressor, ZstdError

from gangland_web.ops.backup.form import LINE_BYTES, BackupRefused, Header, read_header, read_mark, read_row

READ_BYTES: Final = 1024 * 1024


Source = Path | IO[bytes]
"""A backup: the name of a file, or an open one; one that cannot be wound back can be read once."""


def examine(file: Source) -> Header:
    """Read a backup from end to end and return its header.

    Raises:
        BackupRefused: it is none, is cut off, or is not what was written.
        OSError: it cannot be read.
    """
    with _lines(file) as lines:
        line = next(lines, b"")
        header = read_header(line)
        whole, rows, table = sha256(line), {shape.name: 0 for shape in header.tables}, ""
        for line in lines:
            if line.startswith(b"["):
                if table not in rows:
                    raise BackupRefused("a row of it is in no table")
                rows[table] += 1
            elif "table" in (mark := read_mark(line)):
                table = str(mark["table"])
            else:
                if mark.get("rows") != rows or mark.get("sha256") != whole.hexdigest():
                    raise BackupRefused("it was changed: its rows are not those that its last line tells of")
                if next(lines, None) is not None:
                    raise BackupRefused("there is data after its end")
                return header
            whole.update(line)
    raise BackupRefused("its end is missing: it was cut off")


def rows_of(file: Source, header: Header) -> Iterator[tuple[str, list[Any]]]:
    """Yield the rows of a backup that was examined, each with the name of its table.

    Raises:
        BackupRefused: a row cannot be read.
    """
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
        yield _split(BufferedReader(cast("Any", reader), READ_BYTES))


def _split(stream: BufferedReader) -> Iterator[bytes]:
    while True:
        try:
            line = stream.readline(LINE_BYTES)
        except ZstdError as error:
            raise BackupRefused(f"it is no backup, or was changed: {error}") from error
        if not line:
            return
        if len(line) == LINE_BYTES:
            raise BackupRefused(f"a line of it has more than {LINE_BYTES} bytes, and no row does")
        if not line.endswith(b"\n"):
            raise BackupRefused("a line of it is cut off")
        yield line

"""Tables of recorded games as files: Parquet with the extra `gangland[research]`, or lines of JSON without it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, Protocol

from gangland_ladder.analysis.columns import TABLES, GameRows, Recorded, rows_of
from gangland_ladder.analysis.games import Column, Row
from gangland_ladder.common.runtime import needed

_ROWS_AT_ONCE = 20_000
PART = ".part"
"""Ends the name of a file that is being written."""


class Form(StrEnum):
    """The form of the files."""

    PARQUET = "parquet"
    NDJSON = "ndjson"


class FilesExist(FileExistsError):
    """A file of this name is there already; nothing is written over."""


class TableFiles:
    """The files of both tables in a folder; a context manager, and whole only when it is left without an exception.

    Attributes:
        files: what there is once it is left, in the order of the tables.
    """

    def __init__(self, folder: Path, form: Form) -> None:
        """See that nothing is written over, and that what writes the form is there.

        Raises:
            FilesExist: a file of that name is there.
            ExtraMissing: Parquet takes pyarrow, which is not installed.
        """
        self.files = [folder / f"{name}.{form.value}" for name in TABLES]
        self.rows = dict.fromkeys(TABLES, 0)
        self._folder = folder
        self._form = form
        self._waiting: dict[str, list[Row]] = {name: [] for name in TABLES}
        self._sinks: dict[str, _Sink] = {}
        self._stack = ExitStack()
        if form is Form.PARQUET:
            needed("pyarrow")
        for file in self.files:
            if file.exists():
                raise FilesExist(f"{file} exists already: name another folder, or remove it")

    def __enter__(self) -> TableFiles:
        self._folder.mkdir(parents=True, exist_ok=True)
        make = _Parquet if self._form is Form.PARQUET else _Lines
        with ExitStack() as stack:
            for (name, columns), file in zip(TABLES.items(), self.files, strict=True):
                self._sinks[name] = make(_part(file), columns)
                stack.callback(self._sinks[name].close)
            self._stack = stack.pop_all()
        return self

    def add(self, game: GameRows) -> None:
        """Add the rows of a game."""
        for name, rows in (("seats", game.seats), ("decisions", game.decisions)):
            self.rows[name] += len(rows)
            self._waiting[name] += rows
            if len(self._waiting[name]) >= _ROWS_AT_ONCE:
                self._flush(name)

    def _flush(self, name: str) -> None:
        if self._waiting[name]:
            self._sinks[name].write(self._waiting[name])
            self._waiting[name] = []

    def __exit__(self, failure: object, *rest: object) -> None:
        whole = False
        try:
            if failure is None:
                for name in TABLES:
                    self._flush(name)
            self._stack.close()
            whole = failure is None
        finally:
            for file in self.files:
                if whole:
                    os.replace(_part(file), file)
                else:
                    with suppress(FileNotFoundError):
                        _part(file).unlink()


def write_columns(games: Iterable[Recorded], folder: str | os.PathLike[str], form: Form = Form.PARQUET) -> list[Path]:
    """Write recorded games as tables into a folder and return the files: `seats` and `decisions`.

    Args:
        folder: made if need be; nothing in it is written over.

    Raises:
        ReplayError: a game does not come out as recorded; nothing is written then.
        FilesExist: the files are there already.
        ExtraMissing: Parquet takes the extra `gangland[research]`.
    """
    with TableFiles(Path(folder), form) as files:
        for game_id, recorded in enumerate(games, 1):
            files.add(rows_of(recorded, game_id))
    return files.files


def _part(file: Path) -> Path:
    return file.with_name(file.name + PART)


class _Sink(Protocol):
    def write(self, rows: list[Row]) -> None: ...

    def close(self) -> None: ...


class _Lines:
    def __init__(self, file: Path, columns: tuple[Column, ...]) -> None:
        self._names = [column.name for column in columns]
        self._file: IO[str] = file.open("w", encoding="utf-8")

    def write(self, rows: list[Row]) -> None:
        self._file.writelines(f"{json.dumps({name: row.get(name) for name in self._names})}\n" for row in rows)

    def close(self) -> None:
        self._file.close()


class _Parquet:
    def __init__(self, file: Path, columns: tuple[Column, ...]) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        types: dict[str, Any] = {
            "int": pa.int64(),
            "float": pa.float64(),
            "bool": pa.bool_(),
            "text": pa.string(),
            "ints": pa.list_(pa.int64()),
        }
        self._table = pa.Table
        self._schema = pa.schema([(column.name, types[column.kind]) for column in columns])
        self._writer = parquet.ParquetWriter(file, self._schema, compression="zstd")

    def write(self, rows: list[Row]) -> None:
        self._writer.write_table(self._table.from_pylist(rows, schema=self._schema))

    def close(self) -> None:
        self._writer.close()

"""Write recorded games as two tables: one with a row per game and seat, the other with a row per decision.

All values come from replaying the games. docs/research.md describes the columns.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, Final, Protocol, Self

from gangland.game import Outcome
from gangland.games import GAME_NAMES, game_named
from gangland.luck import luck_from
from gangland.replay import FAULT, Replay, Step, verify_events
from gangland_ladder.analysis.games import Column, Row, analysis_of, columns_of
from gangland_ladder.common.runtime import require_modules

_GAME_COLUMNS: Final = "game_id:int game:text match:int block:int rotation:int"
SEATS: Final = columns_of(
    f"{_GAME_COLUMNS} rules:int seats:int options:text seed:text seat:int bot:text code:text place:int "
    "mean_place:float won:bool luck:float fault:text fault_decision:int asked:int rounds:int reason:text digest:text"
)
# The decision table; after `legal`, each game adds columns for the fields of the seat's view.
DECISIONS: Final = columns_of(
    f"{_GAME_COLUMNS} number:int round:int seat:int bot:text method:text decision:text failed:bool legal:int"
) + tuple(column for game in sorted(GAME_NAMES) for column in getattr(analysis_of(game), "COLUMNS", ()))
TABLES: Final[Mapping[str, tuple[Column, ...]]] = {"seats": SEATS, "decisions": DECISIONS}


@dataclass(frozen=True, slots=True)
class LoadedGame:
    """A recorded game as read from a file."""

    replay: Replay
    # bots, codes: the bots' names and the SHA-256 of their code, in seat order; empty if the file does not have them
    bots: Sequence[str] = ()
    codes: Sequence[str] = ()
    # match, block, rotation: its position in a match, if known
    match: int | None = None
    block: int | None = None
    rotation: int | None = None
    faults: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameRows:
    """The rows of one game in both tables."""

    seats: list[Row]
    decisions: list[Row]


def rows_of(recorded: LoadedGame, game_id: int) -> GameRows:
    """Replay a game and return its rows. Raises ReplayError: the replay differs from the recording."""
    replay = recorded.replay
    game_cells: Row = {
        "game_id": game_id,
        "game": replay.game,
        "match": recorded.match,
        "block": recorded.block,
        "rotation": recorded.rotation,
    }
    decisions: list[Row] = []

    def add_decisions(step: Step) -> None:
        decisions.extend(_decision_rows(recorded, step, game_cells))

    outcome, events = verify_events(replay, add_decisions)
    luck = luck_from(replay.game, replay.seats, events)
    decision_counts = Counter(row["seat"] for row in decisions)
    seats = [_seat_row(recorded, seat, game_cells, outcome, luck, decision_counts) for seat in range(replay.seats)]
    return GameRows(seats, decisions)


def _seat_row(
    recorded: LoadedGame,
    seat: int,
    game_cells: Row,
    outcome: Outcome,
    luck: Sequence[float],
    decision_counts: Mapping[int, int],
) -> Row:
    replay = recorded.replay
    failed = dict(replay.faults)
    return {
        **game_cells,
        "rules": replay.rules,
        "seats": replay.seats,
        "options": json.dumps(replay.options, sort_keys=True),
        "seed": replay.seed,
        "seat": seat,
        "bot": _item_at(recorded.bots, seat),
        "code": _item_at(recorded.codes, seat),
        "place": outcome.places[seat],
        "mean_place": float(outcome.mean_places()[seat]),
        "won": seat in outcome.winners,
        "luck": luck[seat],
        "fault": recorded.faults.get(seat, FAULT if seat in failed else None),
        "fault_decision": failed.get(seat),
        "asked": decision_counts.get(seat, 0),
        "rounds": replay.rounds,
        "reason": outcome.reason.value,
        "digest": replay.digest,
    }


def _item_at(values: Sequence[str], seat: int) -> str | None:
    return values[seat] if seat < len(values) else None


def _decision_rows(recorded: LoadedGame, step: Step, game_cells: Row) -> list[Row]:
    replay = recorded.replay
    game, analysis = game_named(replay.game), analysis_of(replay.game)
    rows = []
    for answer in step.answers:
        if answer.number is None:
            continue  # the default decision of a seat at fault
        failed = replay.decisions[answer.number] == FAULT
        view = game.observe(step.before, answer.seat, step.defaulting)
        rows.append(
            {
                **game_cells,
                "number": answer.number,
                "round": step.round,
                "seat": answer.seat,
                "bot": _item_at(recorded.bots, answer.seat),
                "method": f"choose_{answer.kind}",
                "decision": None if failed else json.dumps(answer.decision),
                "failed": failed,
                "legal": len(game.choices(step.before, answer.seat)),
                **({} if analysis is None else analysis.row(view)),
            }
        )
    return rows


# The files: Parquet, which requires the extra `gangland[research]`, or JSON lines.

_ROWS_AT_ONCE = 20_000
PART = ".part"


class Format(StrEnum):
    """The format of the files."""

    PARQUET = "parquet"
    NDJSON = "ndjson"


class FilesExist(FileExistsError):
    """A file with this name already exists; files are never overwritten."""


class TableFiles:
    """A context manager that writes both tables to a folder; the files are complete only if no exception occurs."""

    def __init__(self, folder: Path, form: Format) -> None:
        """Check the format and the folder. Raises FilesExist: a file exists; ExtraMissing: Parquet requires pyarrow."""
        self.files = [folder / f"{name}.{form.value}" for name in TABLES]
        self.rows = dict.fromkeys(TABLES, 0)
        self._folder = folder
        self._form = form
        self._waiting: dict[str, list[Row]] = {name: [] for name in TABLES}
        self._sinks: dict[str, _Sink] = {}
        self._stack = ExitStack()
        if form is Format.PARQUET:
            require_modules("pyarrow")
        for file in self.files:
            if file.exists():
                raise FilesExist(f"{file} already exists: choose another folder, or remove the file")

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        make = _Parquet if self._form is Format.PARQUET else _Lines
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
        complete = False
        try:
            if failure is None:
                for name in TABLES:
                    self._flush(name)
            self._stack.close()
            complete = failure is None
        finally:
            for file in self.files:
                if complete:
                    os.replace(_part(file), file)
                else:
                    with suppress(FileNotFoundError):
                        _part(file).unlink()


def write_columns(
    games: Iterable[LoadedGame], folder: str | os.PathLike[str], form: Format = Format.PARQUET
) -> list[Path]:
    """Write recorded games to a folder as two tables, and return the files: `seats` and `decisions`.

    Args:
        folder: created if necessary; files in it are never overwritten.

    Raises ReplayError: a replay differs from the recording, and no file is written; FilesExist: the files exist;
    ExtraMissing: Parquet requires the extra `gangland[research]`.
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

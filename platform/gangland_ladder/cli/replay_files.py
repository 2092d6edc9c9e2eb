"""Read files with recorded games: replays, games from `gangland play --out`, and archives."""

import json
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import IO, Any

from gangland.faults import FaultKind
from gangland.replay import Replay, ReplayError, from_dict, load, parse_json
from gangland_ladder.cli import output
from gangland_ladder.common.texts import strip_bom
from gangland_ladder.local.bots import InvalidArgument
from gangland_ladder.matches.seeds import rng_seed
from gangland_ladder.proof.archive_files import BLOCK, read_archive
from gangland_ladder.proof.archives import MANIFEST, ArchiveError, Game, Match
from gangland_ladder.proof.archives import Entry as ArchiveEntry

LINE_BYTES = 4 * 1024 * 1024  # Maximum length of a line that is read into memory; every replay is shorter.
_SKIPPED_BYTES = 64 * 1024
_NAME_CHARACTERS = 80
# The number of lines to search for the first replay, and the number of bytes of each line to keep during the search.
_HEAD_LINES, _HEAD_BYTES = 1000, 4096
EXPECTED = "replays, a file written by `gangland play --out`, or an archive"
STDIN = Path("-")
_KINDS = frozenset(map(str, FaultKind))


@dataclass(frozen=True, slots=True)
class Entry:
    """A replay in a file, or the reason why it cannot be read."""

    number: int  # number of the replay in the file, from 1
    line: int
    names: list[str] | None
    _replay: Replay | ReplayError
    codes: tuple[str, ...] = ()
    views: str | None = None  # the digest of the views that were sent to the bots
    rng_seeds: tuple[bytes, ...] = ()  # the seeds of the bots' own generators, by seat
    logs: Mapping[int, str] = field(default_factory=dict)
    position: tuple[int, int, int] | None = None  # match, block and rotation; None outside archives
    faults: Mapping[int, str] = field(default_factory=dict)
    python: str = ""  # the minor version of the bots' Python; empty if the file does not have it

    @property
    def replay(self) -> Replay:
        """The replay. Raises ReplayError: the replay cannot be read."""
        if isinstance(self._replay, ReplayError):
            raise self._replay
        return self._replay

    @property
    def notes(self) -> dict[int, str]:
        """Descriptions of the faults, by decision. Raises ReplayError: the replay cannot be read."""
        failed = [(decision, self.faults.get(seat)) for seat, decision in self.replay.faults if decision is not None]
        return {decision: FaultKind(kind).plain for decision, kind in failed if kind in _KINDS}


def all_entries(file: Path) -> Iterator[Entry]:
    """Yield the games of a file of replays or an archive, in order. Raises InvalidArgument: unreadable or empty."""
    yield from archive_entries(file) if is_archive(file) else entries(file)


def is_archive(file: Path) -> bool:
    """Return whether a file is an archive, even a damaged one, judging by its name or its first bytes."""
    if file == STDIN:
        return False
    try:
        with file.open("rb") as stream:
            head = strip_bom(stream.read(len(BOM_UTF8) + BLOCK))
    except OSError as error:
        raise _unreadable(file, error) from error
    return file.suffix == ".tar" or head.startswith(MANIFEST.encode() + b"\0") or head[257:262] == b"ustar"


def archive_entries(file: Path) -> Iterator[Entry]:
    """Yield the games of an archive. Raises InvalidArgument: the archive cannot be read, or has no games."""
    number = 0
    with usable_archive(file):
        archive = read_archive(file)
        entries_by_id = {entry.id: entry for entry in archive.entries}
        for played in archive.matches():
            match_entries = [entries_by_id[entry] for entry in played.match.entries if entry in entries_by_id]
            for game in played.games:
                number += 1
                seats = [match_entries[index] for index in game.seating if index < len(match_entries)]
                yield _archive_entry(number, game, seats, played.match)
    if not number:
        raise InvalidArgument(f"there is no game in the archive {file_name(file)}")


@contextmanager
def usable_archive(file: Path) -> Iterator[None]:
    """Raise InvalidArgument if an archive cannot be read or is damaged."""
    try:
        yield
    except ArchiveError as error:
        raise InvalidArgument(f"{file_name(file)} is damaged: {error}. `gangland verify` lists all errors.") from error
    except OSError as error:
        raise _unreadable(file, error) from error


def _archive_entry(number: int, game: Game, seats: Sequence[ArchiveEntry], match: Match) -> Entry:
    try:
        replay: Replay | ReplayError = load(bytes(game.replay))
    except ReplayError as error:
        replay = error
    key = bytes.fromhex(match.rng_key) if match.rng_key else None
    return Entry(
        number=number,
        line=number,
        names=[entry.name for entry in seats],
        _replay=replay,
        codes=tuple(entry.code for entry in seats),
        views=game.views,
        rng_seeds=tuple(rng_seed(key, game.block, game.rotation, seat) for seat in range(len(seats))) if key else (),
        position=(game.match, game.block, game.rotation),
        faults={fault.seat: fault.kind for fault in game.faults},
        python=match.python or "",
    )


def entries(file: Path) -> Iterator[Entry]:
    """Yield the replays of a file, or of stdin for "-", line by line. Raises InvalidArgument: unreadable or empty."""
    with ExitStack() as stack:
        try:
            stream: IO[bytes] = sys.stdin.buffer if file == STDIN else stack.enter_context(file.open("rb"))
        except OSError as error:
            raise _unreadable(file, error) from error
        for number, (line, text) in enumerate(_require_replay(file, _texts(_Source(file, stream))), 1):
            yield _entry(number, line, text)


def entries_of(data: bytes, limit: int) -> list[Entry]:
    """Return at most `limit` replays from the beginning of a file in memory; an empty list if it has none."""
    label = Path("the file")
    try:
        texts = _require_replay(label, _texts(_Source(label, BytesIO(data))))
        return [_entry(number, line, text) for number, (line, text) in enumerate(islice(texts, limit), 1)]
    except InvalidArgument:
        return []


def _require_replay(file: Path, texts: Iterator[tuple[int, bytes | None]]) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines of a file if there is a replay in its first lines. Raises InvalidArgument: there is no replay."""
    before: list[tuple[int, bytes | None]] = []
    for line, text in texts:
        if text is not None and text.lstrip().startswith(b"{") and (b'"schema"' in text or _is_json(text)):
            yield from before
            yield line, text
            yield from texts
            return
        before.append((line, None if text is None else text[:_HEAD_BYTES]))
        if len(before) == _HEAD_LINES:
            break
    where = f"the first {_HEAD_LINES} lines of " if len(before) == _HEAD_LINES else ""
    raise InvalidArgument(f"no replay in {where}{file_name(file)}: expected {EXPECTED}")


def file_name(file: Path) -> str:
    """Return a file's name for use in messages."""
    return "stdin" if file == STDIN else output.clean(str(file))


def _unreadable(file: Path, error: OSError) -> InvalidArgument:
    return InvalidArgument(f"cannot read {file_name(file)}: {error.strerror}")


class _Source:
    def __init__(self, file: Path, stream: IO[bytes]) -> None:
        self.file, self.stream = file, stream
        self.put_back = BytesIO()
        self.lines = 0
        self.put_back = BytesIO(strip_bom(self._piece(len(BOM_UTF8))))

    def line(self) -> bytes | None:
        """Return the next line, which is empty at the end of the file; None if the line is too long."""
        self.lines += 1
        line = self._piece(LINE_BYTES + 1)
        if len(line) <= LINE_BYTES or line.endswith(b"\n"):
            return line
        while (piece := self._piece(_SKIPPED_BYTES)) and not piece.endswith(b"\n"):
            pass
        return None

    def document(self, line: bytes) -> bytes | None:
        """Return the line with the rest of the file if they form one JSON document within the size limit; else None."""
        if _is_json(line):
            return None
        try:
            rest = self.stream.read(LINE_BYTES - len(line) + 1)
        except OSError as error:
            raise _unreadable(self.file, error) from error
        if len(line) + len(rest) <= LINE_BYTES and _is_json(line + rest):
            return line + rest
        self.put_back = BytesIO(rest)
        return None

    def _piece(self, limit: int) -> bytes:
        piece = self.put_back.readline(limit)
        if piece.endswith(b"\n") or len(piece) == limit:
            return piece
        try:
            return piece + self.stream.readline(limit - len(piece))
        except OSError as error:
            raise _unreadable(self.file, error) from error


def _texts(source: _Source) -> Iterator[tuple[int, bytes | None]]:
    """Yield the number and text of each line that is not blank; a file that is one JSON text counts as one line."""
    first = True
    while (line := source.line()) != b"":
        number = source.lines
        if line is not None and not line.strip():
            continue
        if first and line is not None and (document := source.document(line)):
            yield number, document
            return
        first = False
        yield number, line


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _entry(number: int, line: int, text: bytes | None) -> Entry:
    document: dict[str, Any] = {}
    names = None
    try:
        if text is None:
            raise ReplayError(f"not a replay: the line is longer than {LINE_BYTES} bytes")
        data = parse_json(text)
        if isinstance(data, dict) and data.get("schema") == "gangland/game/1":
            document, names, data = data, _names(data), data.get("replay")
        replay = from_dict(data)
    except ReplayError as error:
        return Entry(number, line, None, _without_line_number(error))
    seats = replay.seats
    return Entry(
        number=number,
        line=line,
        names=names if names and len(names) == seats else None,
        _replay=replay,
        codes=_per_seat([_text_in(seat, "code") for seat in document.get("seats", ())], seats),
        views=_text_in(document, "views") or None,
        rng_seeds=_rng_seeds(document.get("rng_seeds"), seats),
        logs=_logs(document.get("seats", ())),
        faults={number: kind for number, seat in enumerate(document.get("seats", ())) if (kind := _fault_kind(seat))},
        python=_text_in(document, "python"),
    )


def _text_in(document: object, name: str) -> str:
    value = document.get(name) if isinstance(document, dict) else None
    return value if isinstance(value, str) else ""


def _fault_kind(seat: object) -> str:
    kind = _text_in(seat.get("fault"), "kind") if isinstance(seat, dict) else ""
    return kind if kind in _KINDS else ""


def _per_seat(values: list[str], seats: int) -> tuple[str, ...]:
    return tuple(values) if len(values) == seats and all(values) else ()


def _rng_seeds(texts: object, seats: int) -> tuple[bytes, ...]:
    if not isinstance(texts, list) or len(texts) != seats:
        return ()
    try:
        return tuple(bytes.fromhex(str(text)) for text in texts)
    except ValueError:
        return ()


def _logs(seats: Sequence[object]) -> dict[int, str]:
    logs = {}
    for seat in seats:
        logged = seat.get("logged") if isinstance(seat, dict) else None
        for row in logged if isinstance(logged, list) else ():
            if isinstance(row, dict) and type(row.get("decision")) is int and isinstance(row.get("text"), str):
                logs[row["decision"]] = row["text"]
    return logs


def _without_line_number(error: ReplayError) -> ReplayError:
    # The line numbers of the JSON decoder would be wrong, because they begin at 1 in each line of the file.
    cause = error.__cause__
    if isinstance(cause, json.JSONDecodeError):
        return ReplayError(f"not a replay: {cause.msg} (char {cause.pos})")
    return error


def _names(document: dict[str, Any]) -> list[str]:
    try:
        return [str(seat["bot"])[:_NAME_CHARACTERS] for seat in document["seats"]]
    except (KeyError, TypeError) as error:
        raise ReplayError("not a game: expected a bot's name for each seat") from error

"""Files of recorded games: replays, games as `gangland play --out` writes them, one or many, and archives."""

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
from gangland.replay import Replay, ReplayError, from_dict, load, plain
from gangland_ladder.cli import output
from gangland_ladder.common.texts import unmarked
from gangland_ladder.local.bots import NoSuchBot
from gangland_ladder.matches.seeds import rng_seed
from gangland_ladder.proof.archive_files import BLOCK, read_archive
from gangland_ladder.proof.archives import MANIFEST, ArchiveError, Game, Match
from gangland_ladder.proof.archives import Entry as ArchiveEntry

LINE_BYTES = 4 * 1024 * 1024
"""A line that is longer than any replay is not read into memory."""
_SKIPPED_BYTES = 64 * 1024
_NAME_CHARACTERS = 80
_HEAD_LINES, _HEAD_BYTES = 1000, 4096
"""How many lines are looked through for the first replay, and how much of each is kept meanwhile."""
EXPECTED = "a replay, what `gangland play --out` wrote, many of these with one a line, or an archive"
STDIN = Path("-")
_KINDS = frozenset(map(str, FaultKind))


@dataclass(frozen=True, slots=True)
class Entry:
    """One replay of a file, or why there is none in its place.

    Attributes:
        number: counts the file's replays from 1.
        views: the digest of what they were sent; rng_seeds: of their own generators, by seat.
        python: the minor version of the Python that the bots ran on; empty if the file does not say it.
    """

    number: int
    line: int
    names: list[str] | None
    _replay: Replay | ReplayError
    codes: tuple[str, ...] = ()
    views: str | None = None
    rng_seeds: tuple[bytes, ...] = ()
    logs: Mapping[int, str] = field(default_factory=dict)
    at: tuple[int, int, int] | None = None
    faults: Mapping[int, str] = field(default_factory=dict)
    python: str = ""

    @property
    def replay(self) -> Replay:
        """The replay.  Raises ReplayError: there is none."""
        if isinstance(self._replay, ReplayError):
            raise self._replay
        return self._replay

    @property
    def notes(self) -> dict[int, str]:
        """How seats failed at their decisions, in plain words, by decision.  Raises ReplayError: there is no replay."""
        failed = [(decision, self.faults.get(seat)) for seat, decision in self.replay.faults if decision is not None]
        return {decision: FaultKind(kind).plain for decision, kind in failed if kind in _KINDS}


def recorded(file: Path) -> Iterator[Entry]:
    """Yield the games of a file of replays or an archive, in its order.  Raises NoSuchBot: unreadable or empty."""
    yield from archived(file) if is_archive(file) else entries(file)


def is_archive(file: Path) -> bool:
    """Return whether a file is meant to be an archive, be it a damaged one: by its name, or by how it begins."""
    if file == STDIN:
        return False
    try:
        with file.open("rb") as stream:
            head = unmarked(stream.read(len(BOM_UTF8) + BLOCK))
    except OSError as error:
        raise _unreadable(file, error) from error
    return file.suffix == ".tar" or head.startswith(MANIFEST.encode() + b"\0") or head[257:262] == b"ustar"


def archived(file: Path) -> Iterator[Entry]:
    """Yield the games of an archive.  Raises NoSuchBot: it cannot be read, or has no games."""
    number = 0
    with usable_archive(file):
        archive = read_archive(file)
        named = {entry.id: entry for entry in archive.entries}
        for played in archive.matches():
            seated = [named[entry] for entry in played.match.entries if entry in named]
            for game in played.games:
                number += 1
                sitting = [seated[index] for index in game.seating if index < len(seated)]
                yield _archived(number, game, sitting, played.match)
    if not number:
        raise NoSuchBot(f"there is no game in {file_name(file)}, an archive")


@contextmanager
def usable_archive(file: Path) -> Iterator[None]:
    """Raise NoSuchBot where an archive cannot be read, or is damaged."""
    try:
        yield
    except ArchiveError as error:
        raise NoSuchBot(f"{file_name(file)} cannot be used, see `gangland verify`: {error}") from error
    except OSError as error:
        raise _unreadable(file, error) from error


def _archived(number: int, game: Game, sitting: Sequence[ArchiveEntry], match: Match) -> Entry:
    try:
        replay: Replay | ReplayError = load(bytes(game.replay))
    except ReplayError as error:
        replay = error
    key = bytes.fromhex(match.rng_key) if match.rng_key else None
    return Entry(
        number=number,
        line=number,
        names=[entry.name for entry in sitting],
        _replay=replay,
        codes=tuple(entry.code for entry in sitting),
        views=game.views,
        rng_seeds=tuple(rng_seed(key, game.block, game.rotation, seat) for seat in range(len(sitting))) if key else (),
        at=(game.match, game.block, game.rotation),
        faults={fault.seat: fault.kind for fault in game.faults},
        python=match.python or "",
    )


def entries(file: Path) -> Iterator[Entry]:
    """Yield the replays of a file one by one, so that a file of any length takes no more memory than its longest line.

    Blank lines are left out.  "-" is the standard input.

    Raises NoSuchBot: the file cannot be read, or there is nothing in it.
    """
    with ExitStack() as stack:
        try:
            stream: IO[bytes] = sys.stdin.buffer if file == STDIN else stack.enter_context(file.open("rb"))
        except OSError as error:
            raise _unreadable(file, error) from error
        for number, (line, text) in enumerate(_meant(file, _texts(_Source(file, stream))), 1):
            yield _entry(number, line, text)


def entries_of(data: bytes, most: int) -> list[Entry]:
    """Return the first replays of a file that is in memory, `most` at most; none if it has nothing meant to be one."""
    given = Path("the file")
    try:
        texts = _meant(given, _texts(_Source(given, BytesIO(data))))
        return [_entry(number, line, text) for number, (line, text) in enumerate(islice(texts, most), 1)]
    except NoSuchBot:
        return []


def _meant(file: Path, texts: Iterator[tuple[int, bytes | None]]) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines of a file of which one is meant to be a replay.  Raises NoSuchBot: none is, of the first ones."""
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
    first = f"; its first {_HEAD_LINES} lines are none" if len(before) == _HEAD_LINES else ""
    raise NoSuchBot(f"there is no replay in {file_name(file)}: expected {EXPECTED}{first}")


def file_name(file: Path) -> str:
    """Return what to call the file in front of people."""
    return "the standard input" if file == STDIN else output.cleaned(str(file))


def _unreadable(file: Path, error: OSError) -> NoSuchBot:
    return NoSuchBot(f"cannot read {file_name(file)}: {error.strerror}")


class _Source:
    """Bytes, by lines of bounded length; what was looked at too early can be put back."""

    def __init__(self, file: Path, stream: IO[bytes]) -> None:
        self.file, self.stream = file, stream
        self.put_back = BytesIO()
        self.lines = 0
        self.put_back = BytesIO(unmarked(self._piece(len(BOM_UTF8))))

    def line(self) -> bytes | None:
        """Return the next line, empty at the end; None in place of one that is too long."""
        self.lines += 1
        line = self._piece(LINE_BYTES + 1)
        if len(line) <= LINE_BYTES or line.endswith(b"\n"):
            return line
        while (piece := self._piece(_SKIPPED_BYTES)) and not piece.endswith(b"\n"):
            pass
        return None

    def document(self, line: bytes) -> bytes | None:
        """Return the line and all that follows if that is one JSON text of bounded length, else put it back."""
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

    def _piece(self, most: int) -> bytes:
        piece = self.put_back.readline(most)
        if piece.endswith(b"\n") or len(piece) == most:
            return piece
        try:
            return piece + self.stream.readline(most - len(piece))
        except OSError as error:
            raise _unreadable(self.file, error) from error


def _texts(source: _Source) -> Iterator[tuple[int, bytes | None]]:
    """Yield the number and the text of each line that is not blank; a JSON text over many lines counts as one."""
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
            raise ReplayError(f"not a replay: longer than {LINE_BYTES} bytes")
        data = plain(text)
        if isinstance(data, dict) and data.get("schema") == "gangland/game/1":
            document, names, data = data, _names(data), data.get("replay")
        replay = from_dict(data)
    except ReplayError as error:
        return Entry(number, line, None, _on_its_line(error))
    seats = replay.seats
    return Entry(
        number=number,
        line=line,
        names=names if names and len(names) == seats else None,
        _replay=replay,
        codes=_of_seats([_text_in(seat, "code") for seat in document.get("seats", ())], seats),
        views=_text_in(document, "views") or None,
        rng_seeds=_rng_seeds(document.get("rng_seeds"), seats),
        logs=_logs(document.get("seats", ())),
        faults={seat: kind for seat, each in enumerate(document.get("seats", ())) if (kind := _failed(each))},
        python=_text_in(document, "python"),
    )


def _text_in(document: object, name: str) -> str:
    value = document.get(name) if isinstance(document, dict) else None
    return value if isinstance(value, str) else ""


def _failed(seat: object) -> str:
    """Return the kind of a seat's fault as a file says it, "" for none or for one that there is not."""
    kind = _text_in(seat.get("fault"), "kind") if isinstance(seat, dict) else ""
    return kind if kind in _KINDS else ""


def _of_seats(values: list[str], seats: int) -> tuple[str, ...]:
    return tuple(values) if len(values) == seats and all(values) else ()


def _rng_seeds(given: object, seats: int) -> tuple[bytes, ...]:
    """Return the seeds of the bots' own generators as a file says them, none if it does not say them well."""
    if not isinstance(given, list) or len(given) != seats:
        return ()
    try:
        return tuple(bytes.fromhex(str(each)) for each in given)
    except ValueError:
        return ()


def _logs(seats: Sequence[object]) -> dict[int, str]:
    """Return what bots logged at their decisions, by decision; what a file says otherwise is left out."""
    found = {}
    for seat in seats:
        logged = seat.get("logged") if isinstance(seat, dict) else None
        for row in logged if isinstance(logged, list) else ():
            if isinstance(row, dict) and type(row.get("decision")) is int and isinstance(row.get("text"), str):
                found[row["decision"]] = row["text"]
    return found


def _on_its_line(error: ReplayError) -> ReplayError:
    """Return the error without JSON's own count of lines, which begins anew on each line of the file."""
    cause = error.__cause__
    if isinstance(cause, json.JSONDecodeError):
        return ReplayError(f"not a replay: {cause.msg} (char {cause.pos})")
    return error


def _names(document: dict[str, Any]) -> list[str]:
    try:
        return [str(seat["bot"])[:_NAME_CHARACTERS] for seat in document["seats"]]
    except (KeyError, TypeError) as error:
        raise ReplayError("not a game: its seats do not name their bots") from error

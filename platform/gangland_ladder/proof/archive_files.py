"""Write and read archive files of tournaments: equal content gives equal bytes, and reading is strict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest, sha256
from io import BytesIO
from itertools import islice, product
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final, TypeVar

import msgspec

from gangland_ladder.common.texts import match_game_at, skip_bom
from gangland_ladder.matches.match_jobs import HIGHEST_ID
from gangland_ladder.proof import archives

# Writing and reading.


T = TypeVar("T")
LINE_BYTES: Final = 4 << 20
# Maximum sizes of the documents; decoding a document needs about thirty times its size in memory.
DOCUMENT_BYTES: Final = {archives.MANIFEST: 64 << 10, archives.TOURNAMENT: 256 << 10, archives.STANDINGS: 8 << 20}
MAX_ENTRIES: Final = 10_000
MATCH_BYTES: Final = 48  # Minimum length of a match's line; it limits how many matches a small file can claim.
_MEMORY_BYTES: Final = 8 << 20


@dataclass(frozen=True, slots=True)
class Archive:
    """An open archive; its matches are read from disk when they are needed."""

    path: Path
    sha256: str
    tournament: archives.Tournament
    entries: tuple[archives.Entry, ...]
    standings: dict[str, Any] | None
    _members: dict[str, Member]

    def matches(self) -> Iterator[archives.PlayedMatch]:
        """Yield every match with its games, by number. Raises ArchiveError: an invalid line, or the wrong order."""
        games = _structs(self.path, self._members[archives.GAMES], archives.Game)
        next_number = self.tournament.first
        for where, match in _structs(self.path, self._members[archives.MATCHES], archives.Match):
            if match.number != next_number:
                raise archives.ArchiveError(where, f"found match {match.number} instead of match {next_number}")
            next_number += 1
            yield archives.PlayedMatch(match, self._games(match, games))
        if next_number != (after := self.tournament.first + self.tournament.matches):
            raise archives.ArchiveError(
                archives.MATCHES, f"it ends before match {next_number}, but should end before {after}"
            )
        for where, game in games:
            raise archives.ArchiveError(where, f"unexpected game: match {game.match} has no more games, or is not done")

    def _games(self, match: archives.Match, games: Iterator[tuple[str, archives.Game]]) -> tuple[archives.Game, ...]:
        if match.state != "done":
            return ()
        blocks, seats = self.tournament.size_of(match)
        slots = product(range(blocks), range(seats))
        return tuple(_next_game(games, (match.number, block, rotation)) for block, rotation in slots)


def write_archive(stream: IO[bytes], content: archives.Content) -> None:
    """Write an archive as one file. Raises ArchiveError: the content is inconsistent, not canonical or too large."""
    with SpooledTemporaryFile(_MEMORY_BYTES) as matches, SpooledTemporaryFile(_MEMORY_BYTES) as games:
        count = 0
        for played in content.matches:
            count += 1
            matches.write(_line(f"match {played.match.number}", played.match))
            _write_lines(games, f"a game of match {played.match.number}", played.games)
        if count != content.tournament.matches:
            raise archives.ArchiveError(
                archives.MATCHES, f"expected the tournament's {content.tournament.matches} matches, not {count}"
            )
        entries = BytesIO()
        _write_lines(entries, archives.ENTRIES, content.entries)
        streams: dict[str, IO[bytes]] = {
            archives.TOURNAMENT: BytesIO(_line(archives.TOURNAMENT, content.tournament)),
            archives.ENTRIES: entries,
            archives.MATCHES: matches,
            archives.GAMES: games,
            archives.STANDINGS: BytesIO(msgspec.json.encode(content.standings) + b"\n"),
        }
        files = [_file_digest(name, streams[name]) for name in archives.FILES]
        manifest = msgspec.json.encode(archives.Manifest(archives.SCHEMA, files)) + b"\n"
        sized_files = [(file.name, file.bytes, streams[file.name]) for file in files]
        write_tar(stream, [(archives.MANIFEST, len(manifest), BytesIO(manifest)), *sized_files])


def read_archive(path: Path) -> Archive:
    """Open an undamaged archive. Raises ArchiveError: it is invalid or damaged; OSError: it cannot be read."""
    archive, errors = open_archive(path)
    if errors:
        raise errors[0]
    return archive


def open_archive(path: Path) -> tuple[Archive, list[archives.ArchiveError]]:
    """Open an archive, and return it with an error for each file that differs from the manifest.

    Raises ArchiveError, OSError: the archive is unusable.
    """
    members = tar_members(path, (archives.MANIFEST, *archives.FILES))
    _check_schema(member_bytes(path, members[archives.MANIFEST], DOCUMENT_BYTES[archives.MANIFEST]))
    manifest = _document(path, members[archives.MANIFEST], archives.Manifest)
    if [file.name for file in manifest.files] != list(archives.FILES):
        raise archives.ArchiveError(archives.MANIFEST, f"it must list {', '.join(archives.FILES)}")
    errors = [damage for file in manifest.files if (damage := _damage(path, members[file.name], file)) is not None]
    try:
        archive = _open(path, members)
    except archives.ArchiveError as error:
        raise errors[0] if errors else error from error
    return archive, errors


def _check_schema(manifest: bytes) -> None:
    """Raise ArchiveError if an archive has a different schema; called before anything else is decoded."""
    try:
        schema = msgspec.json.Decoder(_Schema).decode(manifest).schema
    except (ValueError, RecursionError):
        return  # this is not a manifest: decoding it raises the right error
    if schema != archives.SCHEMA:
        raise archives.ArchiveError(
            archives.MANIFEST, f"its schema is {schema[:60]!r}, but this version reads only {archives.SCHEMA!r}"
        )


class _Schema(msgspec.Struct):
    schema: str


def _open(path: Path, members: dict[str, Member]) -> Archive:
    tournament = _document(path, members[archives.TOURNAMENT], archives.Tournament)
    if tournament.first + tournament.matches > HIGHEST_ID:
        raise archives.ArchiveError(
            archives.TOURNAMENT,
            f"its match numbers exceed {HIGHEST_ID}: {tournament.matches} matches from {tournament.first}",
        )
    if tournament.matches * MATCH_BYTES > members[archives.MATCHES].size:
        raise archives.ArchiveError(
            archives.MATCHES, f"{members[archives.MATCHES].size} bytes cannot hold {tournament.matches} matches"
        )
    entries = tuple(
        entry for _, entry in islice(_structs(path, members[archives.ENTRIES], archives.Entry), MAX_ENTRIES + 1)
    )
    if len(entries) > MAX_ENTRIES:
        raise archives.ArchiveError(archives.ENTRIES, f"there are more than {MAX_ENTRIES:,} entries")
    return Archive(
        path=path,
        sha256=sha256_of(path),
        tournament=tournament,
        entries=entries,
        standings=_document(path, members[archives.STANDINGS], dict[str, Any] | None),  # type: ignore[arg-type]
        _members=members,
    )


def _damage(path: Path, member: Member, recorded: archives.FileDigest) -> archives.ArchiveError | None:
    if member.size != recorded.bytes:
        return archives.ArchiveError(member.name, f"it has {member.size} bytes, but the manifest says {recorded.bytes}")
    digest = member_digest(path, member)
    if digest != recorded.sha256:
        return archives.ArchiveError(member.name, f"its SHA-256 is {digest}, but the manifest says {recorded.sha256}")
    return None


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a whole archive, without a byte order mark. Raises OSError: the file cannot be read."""
    with path.open("rb") as file:
        skip_bom(file)
        return file_digest(file, "sha256").hexdigest()


def _next_game(games: Iterator[tuple[str, archives.Game]], position: tuple[int, int, int]) -> archives.Game:
    number, block, rotation = position
    missing = match_game_at(number, block, rotation)
    where, game = next(games, (archives.GAMES, None))
    if game is None:
        raise archives.ArchiveError(where, f"the game of {missing} is missing")
    if (game.match, game.block, game.rotation) != position:
        actual = match_game_at(game.match, game.block, game.rotation)
        raise archives.ArchiveError(where, f"found the game of {actual} instead of {missing}")
    return game


def _document(path: Path, member: Member, kind: type[T]) -> T:
    text = member_bytes(path, member, DOCUMENT_BYTES[member.name])
    if not text.endswith(b"\n"):
        raise archives.ArchiveError(member.name, "it does not end with a line break")
    return _decode(member.name, text[:-1], kind)


def _structs(path: Path, member: Member, kind: type[T]) -> Iterator[tuple[str, T]]:
    decoder = msgspec.json.Decoder(kind)
    for number, line in member_lines(path, member, LINE_BYTES):
        where = f"{member.name}, line {number}"
        yield where, _decode(where, line, kind, decoder)


def _decode(where: str, text: bytes, kind: type[T], decoder: msgspec.json.Decoder[T] | None = None) -> T:
    """Decode one value, which must be exactly as `write_archive` writes it: the same order, no repeats or spaces."""
    try:
        value = (decoder or msgspec.json.Decoder(kind)).decode(text)
    except (ValueError, RecursionError) as error:
        raise archives.ArchiveError(where, f"unexpected content: {error}") from error
    if msgspec.json.encode(value) != text:
        raise archives.ArchiveError(where, "not in canonical form")
    return value


def _write_lines(stream: IO[bytes], where: str, values: Iterable[archives.Entry | archives.Game]) -> None:
    for value in values:
        stream.write(_line(where, value))


def _line(where: str, value: archives.Tournament | archives.Entry | archives.Match | archives.Game) -> bytes:
    text = msgspec.json.encode(value)
    if b"\n" in text:
        raise archives.ArchiveError(where, "a replay must be one line")
    _decode(where, text, type(value))
    return text + b"\n"


def _file_digest(name: str, stream: IO[bytes]) -> archives.FileDigest:
    size = stream.seek(0, 2)
    stream.seek(0)
    digest = file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
    stream.seek(0)
    return archives.FileDigest(name, size, digest)


# The tar format, which any tool can read; every byte is checked.
#
# The archive has regular files in a fixed order, without owner, time or link, followed by two empty blocks. A header
# depends only on the name and the length, so a header with any other bit is damaged. Paths in archives are never used.


BLOCK: Final = 512
MAX_FILE_BYTES: Final = 8**11 - 1  # Maximum size of a file, which the header format limits to 8 GiB.
END: Final = bytes(2 * BLOCK)
_SIZE = slice(124, 136)
_CHUNK_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Member:
    """A file in the archive: the position of its first byte, and its size."""

    name: str
    offset: int
    size: int


def tar_header(name: str, size: int) -> bytes:
    """Return the 512-byte header of a file with this name and length. Raises ArchiveError: the file is too long."""
    if size > MAX_FILE_BYTES:
        raise archives.ArchiveError(name, f"it has {size} bytes; the limit is {MAX_FILE_BYTES}")
    head = name.encode().ljust(100, b"\0") + b"0000644\0" + 2 * b"0000000\0" + b"%011o\0" % size + b"00000000000\0"
    rest = (b"0" + bytes(100) + b"ustar\x0000" + bytes(64) + 2 * b"0000000\0").ljust(BLOCK - len(head) - 8, b"\0")
    return head + b"%06o\0 " % (sum(head) + sum(rest) + 8 * ord(" ")) + rest


def write_tar(stream: IO[bytes], files: Sequence[tuple[str, int, IO[bytes]]]) -> None:
    """Write files, given as tuples of name, length, and a stream at the first byte."""
    for name, size, content in files:
        stream.write(tar_header(name, size))
        copyfileobj(content, stream, _CHUNK_BYTES)
        stream.write(bytes(-size % BLOCK))
    stream.write(END)


def tar_members(path: Path, names: Sequence[str]) -> dict[str, Member]:
    """Return the files of an archive, which must have exactly these names in this order.

    Raises ArchiveError: the files differ; OSError: the archive cannot be read.
    """
    members: dict[str, Member] = {}
    with path.open("rb") as file:
        archive_size = file.seek(0, 2)
        skip_bom(file)
        for name in names:
            members[name] = member = _member(file, name)
            after = member.offset + member.size
            if after > archive_size:
                raise archives.ArchiveError(
                    name, f"the archive ends in the middle of it: expected {after} bytes, not {archive_size}"
                )
            file.seek(after)
            _expect(file, f"the padding after {name}", bytes(-member.size % BLOCK))
        _expect(file, "the end of the archive", END)
        if left_bytes := archive_size - file.tell():
            raise archives.ArchiveError("the end of the archive", f"{left_bytes} more bytes follow it")
    return members


def _member(file: IO[bytes], name: str) -> Member:
    at = file.tell()
    head = file.read(BLOCK)
    digits = head[_SIZE][:-1]
    size = int(digits, 8) if len(digits) == 11 and set(digits) <= set(b"01234567") else 0
    file.seek(at)
    _expect(file, f"the header of {name}", tar_header(name, size))
    return Member(name, at + BLOCK, size)


def _expect(file: IO[bytes], where: str, expected: bytes) -> None:
    at = file.tell()
    data = file.read(len(expected))
    if data != expected:
        pairs = zip(data, expected, strict=False)
        offset = next((index for index, (one, other) in enumerate(pairs) if one != other), len(data))
        problem = "is missing" if offset >= len(data) else f"is {data[offset]:#04x}, not {expected[offset]:#04x}"
        raise archives.ArchiveError(where, f"byte {at + offset} of the archive {problem}")


def member_digest(path: Path, member: Member) -> str:
    """Return the SHA-256 of a file in the archive."""
    digest = sha256()
    with path.open("rb") as file:
        file.seek(member.offset)
        left_bytes = member.size
        while left_bytes and (chunk := file.read(min(_CHUNK_BYTES, left_bytes))):
            digest.update(chunk)
            left_bytes -= len(chunk)
    return digest.hexdigest()


def member_bytes(path: Path, member: Member, limit: int) -> bytes:
    """Return the bytes of a file in the archive. Raises ArchiveError: the file is longer than `limit`."""
    if member.size > limit:
        raise archives.ArchiveError(member.name, f"it has {member.size} bytes; the limit is {limit}")
    with path.open("rb") as file:
        file.seek(member.offset)
        return file.read(member.size)


def member_lines(path: Path, member: Member, limit: int) -> Iterator[tuple[int, bytes]]:
    """Yield each line of a file with its number. Raises ArchiveError: a line is too long, or the last is incomplete."""
    with path.open("rb") as file:
        file.seek(member.offset)
        left_bytes, number = member.size, 0
        while left_bytes:
            number += 1
            line = file.readline(min(limit + 1, left_bytes))
            left_bytes -= len(line)
            if not line.endswith(b"\n"):
                problem = "has no line break" if len(line) <= limit else f"is longer than {limit} bytes"
                raise archives.ArchiveError(f"{member.name}, line {number}", f"the line {problem}")
            yield number, line[:-1]

"""The one form of a tar file that an archive has: any tool reads it, and no byte of it is free.

Plain files in a given order, with no owner, time or link of their own; two empty blocks end it.  A header is a
function of the name and the length, so a header with any other bit is a damaged one, and no path is ever taken
from a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shutil import copyfileobj
from typing import IO, Final

from gangland_ladder.common.texts import skip_mark
from gangland_ladder.proof.archives.archive import ArchiveError

BLOCK: Final = 512
LARGEST_BYTES: Final = 8**11 - 1
"""What a header can say of a file's length: 8 GiB."""
END: Final = bytes(2 * BLOCK)
_SIZE = slice(124, 136)
_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Member:
    """One file in the archive: where its bytes begin, and how many they are."""

    name: str
    offset: int
    size: int


def header(name: str, size: int) -> bytes:
    """Return the 512 bytes before a file of this name and length.

    Raises:
        ArchiveError: the file is too long for a header to say so.
    """
    if size > LARGEST_BYTES:
        raise ArchiveError(name, f"{size} bytes, where {LARGEST_BYTES} are the most")
    head = name.encode().ljust(100, b"\0") + b"0000644\0" + 2 * b"0000000\0" + b"%011o\0" % size + b"00000000000\0"
    rest = (b"0" + bytes(100) + b"ustar\x0000" + bytes(64) + 2 * b"0000000\0").ljust(BLOCK - len(head) - 8, b"\0")
    return head + b"%06o\0 " % (sum(head) + sum(rest) + 8 * ord(" ")) + rest


def write(stream: IO[bytes], files: Sequence[tuple[str, int, IO[bytes]]]) -> None:
    """Write files, each with its length and a stream that stands at its first byte."""
    for name, size, content in files:
        stream.write(header(name, size))
        copyfileobj(content, stream, _PIECE)
        stream.write(bytes(-size % BLOCK))
    stream.write(END)


def members(path: Path, names: Sequence[str]) -> dict[str, Member]:
    """Return where the files of an archive lie, if it has exactly those of these names, in their order.

    Raises:
        ArchiveError: it has not, or a byte between them is not what it must be.
        OSError: the file cannot be read.
    """
    found: dict[str, Member] = {}
    with path.open("rb") as file:
        whole = file.seek(0, 2)
        skip_mark(file)
        for name in names:
            found[name] = member = _member(file, name)
            after = member.offset + member.size
            if after > whole:
                raise ArchiveError(name, f"the archive ends in the middle of it: {whole} bytes, {after} expected")
            file.seek(after)
            _expect(file, f"the padding behind {name}", bytes(-member.size % BLOCK))
        _expect(file, "the end of the archive", END)
        if left := whole - file.tell():
            raise ArchiveError("the end of the archive", f"{left} more bytes follow it")
    return found


def _member(file: IO[bytes], name: str) -> Member:
    at = file.tell()
    head = file.read(BLOCK)
    digits = head[_SIZE][:-1]
    size = int(digits, 8) if len(digits) == 11 and set(digits) <= set(b"01234567") else 0
    file.seek(at)
    _expect(file, f"the header of {name}", header(name, size))
    return Member(name, at + BLOCK, size)


def _expect(file: IO[bytes], what: str, right: bytes) -> None:
    at = file.tell()
    came = file.read(len(right))
    if came != right:
        pairs = zip(came, right, strict=False)
        wrong = next((index for index, (one, other) in enumerate(pairs) if one != other), len(came))
        problem = "is missing" if wrong >= len(came) else f"is {came[wrong]:#04x}, not {right[wrong]:#04x}"
        raise ArchiveError(what, f"byte {at + wrong} of the archive {problem}")


def digest(path: Path, member: Member) -> str:
    """Return the SHA-256 of a file of the archive."""
    found = sha256()
    with path.open("rb") as file:
        file.seek(member.offset)
        left = member.size
        while left and (piece := file.read(min(_PIECE, left))):
            found.update(piece)
            left -= len(piece)
    return found.hexdigest()


def content(path: Path, member: Member, most: int) -> bytes:
    """Return the bytes of a file of the archive.

    Raises:
        ArchiveError: they are more than `most`.
    """
    if member.size > most:
        raise ArchiveError(member.name, f"{member.size} bytes, where {most} are the most")
    with path.open("rb") as file:
        file.seek(member.offset)
        return file.read(member.size)


def lines(path: Path, member: Member, most: int) -> Iterator[tuple[int, bytes]]:
    """Yield the number of each line of a file, from 1, and the line without its end.

    Raises:
        ArchiveError: a line is longer than `most` bytes, or the last one has no end.
    """
    with path.open("rb") as file:
        file.seek(member.offset)
        left, number = member.size, 0
        while left:
            number += 1
            line = file.readline(min(most + 1, left))
            left -= len(line)
            if not line.endswith(b"\n"):
                problem = "has no end" if len(line) <= most else f"is longer than {most} bytes"
                raise ArchiveError(f"{member.name}, line {number}", f"the line {problem}")
            yield number, line[:-1]

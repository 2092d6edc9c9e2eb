"""Zips for the tests: honest ones, and ones made byte by byte that say what they like."""

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

BOT = b"""from gangland import gang_of_dice


class Mine(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
"""
STORED, DEFLATED = 0, 8
FILE_MODE = 0o100644 << 16


def zipped(files: Mapping[str, bytes], method: int = DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return buffer.getvalue()


def deflated(content: bytes) -> bytes:
    stream = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return stream.compress(content) + stream.flush()


@dataclass(frozen=True)
class Item:
    """A file of a handmade zip; `local` and `central` change one of its tables."""

    name: bytes = b"bot.py"
    content: bytes = BOT
    method: int = STORED
    flags: int = 0
    raw: bytes | None = None
    size: int | None = None
    packed: int | None = None
    crc: int | None = None
    attributes: int = FILE_MODE
    extra: bytes = b""
    local_extra: bytes = b""
    comment: bytes = b""
    behind: bytes = b""
    offset: int | None = None
    needed: int = 20
    local: Mapping[str, object] = field(default_factory=dict)

    def data(self) -> bytes:
        if self.raw is not None:
            return self.raw
        return deflated(self.content) if self.method == DEFLATED else self.content

    def numbers(self) -> tuple[int, int, int]:
        crc = zlib.crc32(self.content) if self.crc is None else self.crc
        packed = len(self.data()) if self.packed is None else self.packed
        return crc, packed, len(self.content) if self.size is None else self.size

    def header(self) -> bytes:
        output = replace(self, **self.local)  # type: ignore[arg-type]
        head = struct.pack(
            "<4s5H3L2H", b"PK\x03\x04", 20, output.flags, output.method, 0, 33, *output.numbers(),
            len(output.name), len(output.local_extra),
        )  # fmt: skip
        return head + output.name + output.local_extra

    def line(self, offset: int) -> bytes:
        head = struct.pack(
            "<4s6H3L5H2L", b"PK\x01\x02", 0x0314, self.needed, self.flags, self.method, 0, 33, *self.numbers(),
            len(self.name), len(self.extra), len(self.comment), 0, 0, self.attributes,
            offset if self.offset is None else self.offset,
        )  # fmt: skip
        return head + self.name + self.extra + self.comment


def handmade(
    *items: Item,
    before: bytes = b"",
    between: bytes = b"",
    after: bytes = b"",
    comment: bytes = b"",
    end: Mapping[int, int] | None = None,
    moved: int = 0,
) -> bytes:
    """Return a zip of these items with bytes before, between and after; `end` changes the end record by place."""
    body, lines = before, []
    for item in items:
        lines.append(item.line(len(body)))
        body += item.header() + item.data() + item.behind
    body += between
    directory = b"".join(lines)
    fields = [0, 0, len(items), len(items), len(directory), len(body) + moved, len(comment)]
    for place, value in (end or {}).items():
        fields[place] = value
    return body + directory + after + struct.pack("<4s4H2LH", b"PK\x05\x06", *fields) + comment

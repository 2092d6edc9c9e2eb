"""Read an untrusted zip in memory, so strictly that it can be read in only one way.

A zip stores its metadata twice: before each file, and in a central directory at the end.  Some readers use the first
copy, others use the second, and they find the directory in different ways, so the same zip can show one bot to a
reviewer and another to the jail.  `zipfile` uses the directory, accepts data before and between the files, and in older
Python releases lets files share bytes (overlapping zip bombs).  Checking all of that would leave little of `zipfile` in
use, so this module parses the zip itself.  Files must be contiguous from the first byte to the directory, the directory
must end at the end record, the end record must be at the end, both copies of the metadata must agree, and nothing is
unpacked beyond the limits.
"""

import stat
import struct
import zlib
from dataclasses import dataclass
from typing import Final, NamedTuple

from gangland_sandbox.caps import Caps
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.limits import KIB

MAGICS: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
"""The first bytes of a zip with files, an empty one, or a split one.  No Python source begins like that."""

_END: Final = struct.Struct("<4s4H2LH")
_CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_SIZES: Final = struct.Struct("<3L")
_END_MARK, _CENTRAL_MARK, _LOCAL_MARK = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"
_DESCRIPTOR_MARK, _ZIP64_MARK = b"PK\x07\x08", b"PK\x06\x07"
_ZIP64_MARK_BYTES: Final = 20
_COMMENT_BYTES: Final = 65_535
_ZIP64_VALUE: Final = 0xFFFFFFFF
_STORED, _DEFLATED = 0, 8
_NEWEST_VERSION: Final = 63
_ENCRYPTED: Final = 0x0001 | 0x0040 | 0x2000
_HAS_DESCRIPTOR: Final = 0x0008
_KNOWN_FLAGS: Final = _HAS_DESCRIPTOR | 0x0006 | 0x0800 | _ENCRYPTED
_DOS_FOLDER, _DOS_NO_FILE = 0x10, 0x448
_REFUSED_EXTRAS: Final = {
    0x0001: ("zip64", "uses zip64, which small archives do not need"),
    0x000D: ("zip_link", "contains a record that can hide links"),
    0x756E: ("zip_link", "contains a record that can hide links"),
    0x7075: ("zip_disagrees", "has a second name in its records"),
    0x9901: ("zip_encrypted", "is encrypted"),
}


class _Header(NamedTuple):
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    name: bytes


@dataclass(frozen=True, slots=True)
class _Entry:
    header: _Header
    offset: int
    mode: int
    dos_attributes: int

    @property
    def is_folder(self) -> bool:
        return self.header.name.endswith(b"/")


def read_zip(data: bytes, caps: Caps) -> dict[str, bytes]:
    """Return the files of a zip by path, in the directory's order, without folders.  Raises UploadRejected."""
    if len(data) > caps.zip_bytes:
        limit = f"{caps.zip_bytes // KIB:,} KiB"
        raise UploadRejected("zip_too_large", f"the zip has {len(data):,} bytes; the limit is {limit}")
    begin, end, count = _end_record(data)
    if count > caps.entries:
        raise UploadRejected("zip_entries", f"the zip lists {count:,} files and folders; the limit is {caps.entries}")
    entries = _directory(data, begin, end, count)
    paths = [_path(entry, caps) for entry in entries]
    _check_sizes(entries, caps)
    _check_duplicates(paths, entries)
    packed = _packed_files(data, entries, begin)
    unpacked = [_unpack(raw, entry) for raw, entry in zip(packed, entries, strict=True)]
    return {path: file for path, file, entry in zip(paths, unpacked, entries, strict=True) if not entry.is_folder}


def quoted(name: bytes | str) -> str:
    """Return a name from a zip in printable form for a message."""
    text = name.decode("latin-1") if isinstance(name, bytes) else name
    return ascii(text if len(text) <= 80 else text[:80] + " ...")


def _end_record(data: bytes) -> tuple[int, int, int]:
    at = data.rfind(_END_MARK, max(0, len(data) - _END.size - _COMMENT_BYTES))
    if not data.startswith(MAGICS):
        raise UploadRejected("not_zip", "the file is named .zip but is not a zip file")
    if at < 0 or at + _END.size > len(data):
        raise UploadRejected("zip_broken", "the zip is cut off: it has no end record")
    _, disk, first_disk, disk_count, count, size, begin, comment = _END.unpack_from(data, at)
    if _ZIP64_VALUE in (size, begin) or data[max(0, at - _ZIP64_MARK_BYTES) :].startswith(_ZIP64_MARK):
        raise UploadRejected("zip64", "the zip uses zip64, which small archives do not need")
    if (disk, first_disk) != (0, 0) or disk_count != count or not data.startswith((_LOCAL_MARK, _END_MARK)):
        raise UploadRejected("zip_broken", "the zip is split into parts; upload it as a single file")
    if at + _END.size + comment != len(data):
        raise UploadRejected("zip_around", "there is data after the end record, or more than one end record")
    if begin + size != at:
        raise UploadRejected("zip_around", "the zip's directory is not at the position in the end record")
    return begin, at, count


def _directory(data: bytes, begin: int, end: int, count: int) -> list[_Entry]:
    entries, at = [], begin
    for number in range(count):
        if at + _CENTRAL.size > end or data[at : at + 4] != _CENTRAL_MARK:
            raise UploadRejected("zip_broken", f"the zip's directory ends after {number} of {count} files")
        _, _, version, flags, method, _, _, crc, packed, size, *rest = _CENTRAL.unpack_from(data, at)
        name_bytes, extra_bytes, comment_bytes, disk, _, attributes, offset = rest
        at += _CENTRAL.size
        name = data[at : at + name_bytes]
        at += name_bytes + extra_bytes + comment_bytes
        if at > end or comment_bytes or disk:
            raise UploadRejected("zip_broken", f"the zip's directory has an invalid entry for {quoted(name)}")
        if _ZIP64_VALUE in (packed, size, offset):
            raise UploadRejected("zip64", f"{quoted(name)} uses zip64, which small archives do not need")
        if version & 0xFF > _NEWEST_VERSION:
            raise UploadRejected(
                "zip_method", f"{quoted(name)} requires unsupported zip version {(version & 0xFF) / 10}"
            )
        _check_extra(data[at - extra_bytes : at], name)
        header = _Header(flags, method, crc, packed, size, name)
        entries.append(_Entry(header, offset, attributes >> 16, attributes & 0xFFFF))
    if at != end:
        raise UploadRejected("zip_broken", f"the zip's directory lists more than the {count} files of its end record")
    return entries


def _check_extra(extra: bytes, name: bytes) -> None:
    at = 0
    while at < len(extra):
        if at + 4 > len(extra):
            raise UploadRejected("zip_broken", f"{quoted(name)} has a broken record")
        kind, size = struct.unpack_from("<2H", extra, at)
        at += 4 + size
        if at > len(extra):
            raise UploadRejected("zip_broken", f"{quoted(name)} has a broken record")
        if kind in _REFUSED_EXTRAS:
            code, reason = _REFUSED_EXTRAS[kind]
            raise UploadRejected(code, f"{quoted(name)} {reason}")


def _path(entry: _Entry, caps: Caps) -> str:
    header, name = entry.header, quoted(entry.header.name)
    path = header.name.decode("latin-1").removesuffix("/")
    if len(path) > caps.path_chars:
        raise UploadRejected("zip_name", f"the path {name} is longer than {caps.path_chars} characters")
    if any(not " " <= char <= "~" or char in '\\:*?"<>|' for char in path):
        raise UploadRejected(
            "zip_name", f'the name {name} may contain only printable ASCII characters, except \\ : * ? " < > |'
        )
    parts = path.split("/")
    if any(part in ("", ".", "..") or part != part.strip() or part.endswith(".") for part in parts):
        raise UploadRejected("zip_name", f"{name} is not a plain relative path")
    if len(parts) > caps.depth:
        raise UploadRejected("zip_depth", f"{name} is nested {len(parts)} levels deep; the limit is {caps.depth}")
    _check_kind(entry, name)
    return path


def _check_kind(entry: _Entry, name: str) -> None:
    header = entry.header
    if header.flags & _ENCRYPTED:
        raise UploadRejected("zip_encrypted", f"{name} is encrypted")
    if header.flags & ~_KNOWN_FLAGS:
        raise UploadRejected("zip_broken", f"{name} has unknown flags: {header.flags:#06x}")
    if header.method not in (_STORED, _DEFLATED):
        raise UploadRejected(
            "zip_method", f"{name} is compressed by method {header.method}; only stored and deflated are read"
        )
    kind = stat.S_IFMT(entry.mode)
    if kind not in (0, stat.S_IFDIR if entry.is_folder else stat.S_IFREG) or entry.dos_attributes & _DOS_NO_FILE:
        raise UploadRejected("zip_link", f"{name} is a link or a device; only regular files and folders are accepted")
    if entry.dos_attributes & _DOS_FOLDER and not entry.is_folder:
        raise UploadRejected("zip_link", f"{name} is marked as both a folder and a file")


def _check_sizes(entries: list[_Entry], caps: Caps) -> None:
    """Reject declared sizes that are too large; `_unpack` compares them with the real sizes."""
    total = sum(entry.header.size for entry in entries)
    if total > caps.unpacked_bytes:
        limit = f"{caps.unpacked_bytes // KIB:,} KiB"
        raise UploadRejected("zip_unpacked", f"the zip has {total:,} bytes uncompressed; the limit is {limit}")
    for entry in entries:
        name, packed, size = quoted(entry.header.name), entry.header.packed, entry.header.size
        if entry.is_folder and size:
            raise UploadRejected("zip_broken", f"the folder {name} has content")
        if entry.header.method == _STORED and packed != size:
            raise UploadRejected(
                "zip_disagrees", f"{name} is stored uncompressed, but its sizes differ: {packed:,} and {size:,} bytes"
            )
        if size > caps.ratio_from_bytes and size > caps.ratio * packed:
            raise UploadRejected(
                "zip_ratio", f"{name} unpacks from {packed:,} to {size:,} bytes; the limit is {caps.ratio} times"
            )


def _check_duplicates(paths: list[str], entries: list[_Entry]) -> None:
    known_paths: dict[str, tuple[str, bool, bool]] = {}
    for path, entry in zip(paths, entries, strict=True):
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            prefix, is_listed = "/".join(parts[:depth]), depth == len(parts)
            is_folder = entry.is_folder or not is_listed
            before = known_paths.get(prefix.lower())
            if before is not None and (before[:2] != (prefix, is_folder) or (is_listed and before[2])):
                raise UploadRejected(
                    "zip_duplicate", f"{quoted(prefix)} and {quoted(before[0])} would have the same path"
                )
            known_paths[prefix.lower()] = prefix, is_folder, is_listed or (before is not None and before[2])


def _packed_files(data: bytes, entries: list[_Entry], end: int) -> list[bytes]:
    """Return the packed bytes of each file, and check that files are contiguous and fill the zip up to `end`."""
    content = dict.fromkeys(range(len(entries)), b"")
    at = 0
    for number in sorted(content, key=lambda number: entries[number].offset):
        entry = entries[number]
        name = quoted(entry.header.name)
        if entry.offset < at:
            raise UploadRejected("zip_overlap", f"{name} shares its bytes with another file of the zip")
        if entry.offset > at:
            raise UploadRejected("zip_around", f"{entry.offset - at:,} bytes before {name} do not belong to any file")
        begin = _data_start(data, entry, end)
        content[number] = data[begin : begin + entry.header.packed]
        at = _data_end(data, entry, begin)
        if at > end:
            raise UploadRejected("zip_overlap", f"{name} reaches into the zip's directory")
    if at != end:
        raise UploadRejected("zip_around", f"{end - at:,} bytes before the zip's directory do not belong to any file")
    return list(content.values())


def _data_start(data: bytes, entry: _Entry, end: int) -> int:
    header, name = entry.header, quoted(entry.header.name)
    if entry.offset + _LOCAL.size > end or data[entry.offset : entry.offset + 4] != _LOCAL_MARK:
        raise UploadRejected("zip_broken", f"{name} is not at its position in the zip's directory")
    _, _, flags, method, _, _, crc, packed, size, *lengths = _LOCAL.unpack_from(data, entry.offset)
    name_bytes, extra_bytes = map(int, lengths)
    at = entry.offset + _LOCAL.size + name_bytes
    local = _Header(flags, method, crc, packed, size, data[at - name_bytes : at])
    if flags & _HAS_DESCRIPTOR and (crc, packed, size) == (0, 0, 0):
        local = local._replace(crc=header.crc, packed=header.packed, size=header.size)
    if local != header:
        differing = [field for field in _Header._fields if getattr(local, field) != getattr(header, field)]
        raise UploadRejected(
            "zip_disagrees", f"the local header and the zip's directory disagree about {name}: {', '.join(differing)}"
        )
    _check_extra(data[at : at + extra_bytes], header.name)
    return at + extra_bytes


def _data_end(data: bytes, entry: _Entry, begin: int) -> int:
    header, end = entry.header, begin + entry.header.packed
    if not header.flags & _HAS_DESCRIPTOR:
        return end
    sizes = _SIZES.pack(header.crc, header.packed, header.size)
    for descriptor in (_DESCRIPTOR_MARK + sizes, sizes):
        if data.startswith(descriptor, end):
            return end + len(descriptor)
    name = quoted(header.name)
    raise UploadRejected("zip_disagrees", f"the data descriptor of {name} disagrees with the zip's directory")


def _unpack(raw: bytes, entry: _Entry) -> bytes:
    header, name = entry.header, quoted(entry.header.name)
    content = raw
    if header.method == _DEFLATED:
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = stream.decompress(raw, header.size + 1)
        except zlib.error as error:
            raise UploadRejected("zip_broken", f"{name} cannot be unpacked: {error}") from error
        if len(content) > header.size:
            raise UploadRejected("zip_disagrees", f"{name} is larger than its declared size of {header.size:,} bytes")
        if not stream.eof or stream.unused_data:
            raise UploadRejected("zip_broken", f"the compressed data of {name} ends too early or too late")
    if len(content) != header.size:
        raise UploadRejected("zip_disagrees", f"{name} has {len(content):,} bytes, but declares {header.size:,}")
    if zlib.crc32(content) != header.crc:
        raise UploadRejected("zip_broken", f"{name} is damaged: its checksum is wrong")
    return content

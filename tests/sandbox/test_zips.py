"""A zip is read in one way or not at all, and never costs more than the caps say."""

import io
import struct
import tracemalloc
import zipfile
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sandbox.zip_kit import BOT, DEFLATED, FILE_MODE, Item, deflated, handmade, zipped

from gangland_sandbox.caps import NUMERIC, PLAIN, Caps
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.zips import read_zip

KIB = 1024
HELPER = Item(b"helpers.py", b"x = 1\n")
END_DISK, END_COUNT_HERE, END_COUNT, END_SIZE, END_OFFSET = 0, 2, 3, 4, 5


def rejected(data: bytes, caps: Caps = PLAIN) -> UploadRejected:
    with pytest.raises(UploadRejected) as caught:
        read_zip(data, caps)
    return caught.value


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_what_was_zipped_is_read_byte_for_byte(method: int) -> None:
    files = {"bot.py": BOT, "data/table.bin": bytes(range(256)) * 40, "empty.txt": b""}
    assert read_zip(zipped(files, method), PLAIN) == files


def test_a_zip_written_as_a_stream_is_read() -> None:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.written = b""

        def writable(self) -> bool:
            return True

        def write(self, data: bytes) -> int:  # type: ignore[override]
            self.written += bytes(data)
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.py", BOT)
    assert read_zip(pipe.written, PLAIN) == {"bot.py": BOT}


def test_folders_and_the_times_of_files_and_a_comment_on_the_whole_are_taken() -> None:
    times = struct.pack("<2HBL", 0x5455, 5, 1, 0)
    folder = Item(b"data/", b"", attributes=0o040755 << 16 | 0x10)
    archive = handmade(folder, Item(extra=times, local_extra=times), Item(b"data/a.txt", b"a"), comment=b"0f3e" * 10)
    assert read_zip(archive, PLAIN) == {"bot.py": BOT, "data/a.txt": b"a"}


def test_a_file_as_large_as_may_be_is_taken_and_one_byte_more_is_not() -> None:
    caps = Caps(source_bytes=KIB, zip_bytes=64 * KIB, unpacked_bytes=3000, entries=4)
    assert len(read_zip(zipped({"a": b"a" * 3000}), caps)["a"]) == 3000
    assert rejected(zipped({"a": b"a" * 3001}), caps).code == "zip_unpacked"
    assert rejected(zipped({"a": b"a" * 2000, "b": b"a" * 1001}), caps).code == "zip_unpacked"


def test_a_zip_that_is_too_large_as_it_is_sent_is_refused_with_both_sizes() -> None:
    refused = rejected(b"PK\x03\x04" + bytes(PLAIN.zip_bytes))
    assert refused.code == "zip_too_large"
    assert "1,048,580 bytes; the limit is 1,024 KiB" in refused.message


def test_as_many_files_as_may_be_are_taken_and_one_more_is_not() -> None:
    assert len(read_zip(zipped({f"{i}.txt": b"" for i in range(64)}), PLAIN)) == 64
    refused = rejected(zipped({f"{i}.txt": b"" for i in range(65)}))
    assert (refused.code, "lists 65 files" in refused.message) == ("zip_entries", True)


def test_a_directory_of_65535_files_is_refused_before_it_is_read() -> None:
    assert rejected(zipped({f"{i}": b"" for i in range(65_535)}), NUMERIC).code == "zip_entries"
    assert rejected(handmade(Item(), end={END_COUNT_HERE: 65_535, END_COUNT: 65_535})).code == "zip_entries"


def test_a_bomb_that_lies_about_its_size_is_never_unpacked() -> None:
    archive = handmade(Item(b"zeros", b"", DEFLATED, raw=deflated(bytes(200 * 1024 * KIB)), size=4000))
    tracemalloc.start()
    try:
        refused = rejected(archive)
        assert tracemalloc.get_traced_memory()[1] < 1024 * KIB
    finally:
        tracemalloc.stop()
    assert refused.code == "zip_disagrees"
    assert "4,000 bytes" in refused.message


LOCATOR, WIDE = struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1), struct.pack("<2H2Q", 1, 16, 6, 6)
INNER, FIRST = handmade(Item(content=b"x = 2\n")), zipped({"bot.py": BOT})
SECOND_NAME = struct.pack("<2HBL", 0x7075, 12, 1, zlib.crc32(b"bot.py")) + b"evil.py"
REFUSED = {
    "zip_broken": {
        "a wrong sum": handmade(Item(crc=1)),
        "no stream": handmade(Item(method=DEFLATED, raw=b"\xff" * 50)),
        "a stream cut off": handmade(Item(method=DEFLATED, raw=deflated(BOT)[:-3])),
        "bytes hidden behind the end of a stream": handmade(Item(method=DEFLATED, raw=deflated(BOT) + b"more")),
        "an end that counts too few": handmade(Item(), HELPER, end={END_COUNT_HERE: 1, END_COUNT: 1}),
        "an end that counts too many": handmade(Item(), HELPER, end={END_COUNT_HERE: 3, END_COUNT: 3}),
        "an end that counts others here": handmade(Item(), HELPER, end={END_COUNT_HERE: 1}),
        "an end on another disk": handmade(Item(), end={END_DISK: 1}),
        "a record cut off": handmade(Item(extra=b"UT\x09")),
        "a record longer than its place": handmade(Item(extra=b"UT\x09\0x")),
        "the same at the file": handmade(Item(local_extra=b"UT\x09\0x")),
        "a comment on a file": handmade(Item(comment=b"hidden")),
        "an unknown flag": handmade(Item(flags=0x10)),
    },
    "zip_overlap": {"a file in another": handmade(Item(), Item(b"c.py", offset=12))},
    "zip_around": {
        "a script between": handmade(Item(), between=b"#!/bin/sh\n"),
        "a zero between": handmade(Item(), HELPER, between=b"\0"),
        "a gap between files": handmade(Item(behind=b"gap"), HELPER),
        "a line behind": handmade(Item()) + b"\n",
        "something before the end": handmade(Item(), after=b"?"),
        "a comment cut off": handmade(Item(), comment=b"x")[:-1],
        "a directory moved on": handmade(Item(), moved=1),
        "a directory moved back": handmade(Item(), moved=-1),
        "a whole zip in front": FIRST + zipped({"bot.py": b"x = 1\n"}),
        "a whole zip in front that is counted": handmade(Item(offset=len(FIRST)), before=FIRST),
        "a whole zip in the comment": handmade(Item(), comment=INNER),
        "a second end in the comment": handmade(Item(), comment=b"PK\x05\x06" + bytes(18)),
        "a second directory": handmade(Item(content=b"x = 3\n"), between=Item().line(0)),
    },
    "not_zip": {
        "a program in front": b"#!/usr/bin/python3\n" + FIRST,
        "a picture in front": handmade(Item(), before=b"GIF89a"),
    },
    "zip64": {
        "its locator": handmade(Item(), after=LOCATOR),
        "an offset of the directory": handmade(Item(), end={END_OFFSET: 0xFFFFFFFF}),
        "a size of the directory": handmade(Item(), end={END_SIZE: 0xFFFFFFFF}),
        "a size": handmade(Item(size=0xFFFFFFFF, extra=WIDE)),
        "a record": handmade(Item(extra=WIDE)),
        "a record at the file": handmade(Item(local_extra=WIDE)),
        "an offset": handmade(Item(offset=0xFFFFFFFF)),
    },
    "zip_link": {
        "a link of Windows": handmade(Item(attributes=FILE_MODE | 0x400)),
        "a folder of DOS": handmade(Item(attributes=0x10)),
        "a link in a record": handmade(Item(extra=struct.pack("<2H4s", 0x756E, 4, b"link"))),
    },
    "zip_encrypted": {f"flag {flags:#x}": handmade(Item(flags=flags)) for flags in (0x1, 0x41, 0x2000)},
    "zip_disagrees": {
        "a second name in a record": handmade(Item(extra=SECOND_NAME)),
        **{
            f"{size} bytes of {len(BOT)} by method {method}": handmade(Item(method=method, size=size))
            for method in (0, DEFLATED)
            for size in (len(BOT) - 1, len(BOT) + 1)
        },
    },
    "zip_depth": {"nine levels": zipped({"1/2/3/4/5/6/7/8/9": b""})},
    "zip_method": {"a version to come": handmade(Item(needed=64))},
    "zip_ratio": {"a bomb that says what it is": zipped({"bot.py": BOT, "zeros": bytes(1024 * KIB)})},
    "zip_unpacked": {"a larger one": zipped({"zeros": bytes(5 * 1024 * KIB)})},
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_can_be_read_in_two_ways_or_not_at_all_is_refused(code: str) -> None:
    for what, archive in REFUSED[code].items():
        assert rejected(archive).code == code, what


def test_what_is_just_within_the_rules_is_read() -> None:
    for path, content in (("zeros", bytes(64 * KIB)), ("1/2/3/4/5/6/7/8", b"")):
        assert read_zip(zipped({path: content}), PLAIN) == {path: content}
    assert read_zip(handmade(Item(needed=63)), PLAIN) == {"bot.py": BOT}


@pytest.mark.parametrize(
    "document",
    [
        {"name": b"bat.py"}, {"name": b"./bot.py"}, {"method": DEFLATED}, {"size": 1}, {"packed": 1}, {"crc": 1},
        {"flags": 0x800}, {"flags": 0x8},
    ],
)  # fmt: skip
def test_two_tables_that_do_not_agree_are_refused(document: dict[str, object]) -> None:
    refused = rejected(handmade(Item(local=document)))
    assert (refused.code, "bot.py" in refused.message) == ("zip_disagrees", True)


def test_sizes_behind_a_file_have_to_agree_too() -> None:
    crc, packed, size = Item().numbers()
    nothing = {"crc": 0, "packed": 0, "size": 0}
    for mark in (b"PK\x07\x08", b""):
        good = Item(flags=8, local=nothing, behind=mark + struct.pack("<3L", crc, packed, size))
        assert read_zip(handmade(good, HELPER), PLAIN)["bot.py"] == BOT
        bad = Item(flags=8, local=nothing, behind=mark + struct.pack("<3L", crc, packed + 1, size))
        assert rejected(handmade(bad, HELPER)).code == "zip_disagrees"


def test_files_that_share_their_bytes_are_refused() -> None:
    assert rejected(handmade(Item(), Item(b"b.py", offset=0, raw=b"", packed=0, content=b""))).code in {
        "zip_overlap",
        "zip_disagrees",
    }


def test_an_overlapping_bomb_is_refused_however_its_files_quote_each_other() -> None:
    """Each file's stream begins with a stored block that holds the next file's header, as in the known bombs."""
    kernel = deflated(bytes(60_000))
    items, body = [], b""
    inner = Item(b"n0", bytes(60_000), DEFLATED, raw=kernel)
    body, content = inner.header() + kernel, inner.content
    items.append(inner)
    for number in range(1, 12):
        quoted = items[-1].header()
        content = quoted + content
        raw = struct.pack("<BHH", 0, len(quoted), len(quoted) ^ 0xFFFF) + body
        outer = Item(b"n%d" % number, content, DEFLATED, raw=raw)
        body = outer.header() + raw
        items.append(outer)
    offsets, at = {}, 0
    for item in reversed(items):
        offsets[item.name] = at
        at += len(item.header()) + 5
    directory = b"".join(item.line(offsets[item.name]) for item in items)
    archive = body + directory + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 12, 12, len(directory), len(body), 0)
    with suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(archive)) as naive:  # later Pythons refuse it too
        assert len(naive.read("n11")) > 60_000
    assert rejected(archive).code == "zip_overlap"


@pytest.mark.parametrize(
    "name",
    [
        b"/etc/passwd", b"../bot.py", b"a/../../b", b"a\\b.py", b"C:/b.py", b"c:b.py", b"a//b.py", b"./a.py", b"a/./b",
        b"a\0.py", b"a\n.py", b"\x1b[2J.py", b"b\xc3\xa4r.py", b"b\x84r.py", "a\u202eyp.txt".encode(), b"a/", b"", b"/",
        b"a.", b"a /b", b" a", b"..", b"a" * 129, b"//host/share", b"a?.txt", b"a*", b'"a"', b"\x7f",
    ],
)  # fmt: skip
def test_a_name_that_is_no_plain_path_is_refused(name: bytes) -> None:
    refused = rejected(handmade(Item(), Item(name, b"" if name.endswith(b"/") else b"x", attributes=0o100644 << 16)))
    assert refused.code == ("zip_link" if name == b"a/" else "zip_name")
    assert refused.message.isascii()
    assert refused.message.isprintable()


@pytest.mark.parametrize("kind", [0o120777, 0o010644, 0o020666, 0o060666, 0o140777, 0o040755])
def test_links_devices_and_pipes_are_refused(kind: int) -> None:
    refused = rejected(handmade(Item(), Item(b"key", b"/etc/passwd", attributes=kind << 16)))
    assert (refused.code, "'key'" in refused.message) == ("zip_link", True)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (b"a.txt", b"a.txt"), (b"a.txt", b"A.TXT"), (b"a", b"a/b"), (b"a/b", b"a"), (b"a/b", b"A/c"), (b"a/", b"a"),
        (b"a/", b"a/"), (b"a", b"a/"),
    ],
)  # fmt: skip
def test_two_things_in_one_place_are_refused(first: bytes, second: bytes) -> None:
    def thing(name: bytes) -> Item:
        return Item(name, b"", attributes=0)

    assert rejected(handmade(Item(), thing(first), thing(second))).code == "zip_duplicate"


def test_a_folder_may_be_listed_before_and_after_what_lies_in_it() -> None:
    folder = Item(b"a/", b"", attributes=0o040755 << 16)
    for items in ((folder, Item(b"a/b")), (Item(b"a/b"), folder)):
        assert read_zip(handmade(*items), PLAIN) == {"a/b": BOT}


@pytest.mark.parametrize("method", [1, 6, 9, 12, 14, 93, 95, 98, 99])
def test_a_compression_that_is_rare_is_refused(method: int) -> None:
    refused = rejected(handmade(Item(method=method)))
    assert (refused.code, f"method {method};" in refused.message) == ("zip_method", True)


@pytest.mark.parametrize("cut", [4, 30, 60, 100, 21])
def test_a_zip_that_is_cut_off_is_refused(cut: int) -> None:
    data = zipped({"bot.py": BOT, "a": b"a"})
    assert rejected(data[:cut]).code == "zip_broken"
    assert rejected(data[:-cut]).code in {"zip_broken", "zip_around"}


@given(st.data())
def test_a_zip_with_any_byte_changed_is_the_same_or_refused_in_words(data: st.DataObject) -> None:
    files = {"bot.py": BOT, "data/a.txt": b"a" * 100}
    archive = bytearray(zipped(files))
    archive[data.draw(st.integers(0, len(archive) - 1))] = data.draw(st.integers(0, 255))
    try:
        document = "" if sorted(read_zip(bytes(archive), PLAIN).values()) == sorted(files.values()) else "other files"
    except UploadRejected as refused:
        document = "" if refused.message else "no words"
    assert document == ""


@given(st.binary(max_size=200), st.binary(max_size=60))
def test_any_bytes_are_refused_in_words(middle: bytes, last: bytes) -> None:
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(middle), 4, len(last))
    assert rejected(b"PK\x03\x04" + middle + end + last).message

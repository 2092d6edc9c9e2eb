"""What is seen of an upload before anything of it is run."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import SOURCE_BYTES, scan

GOOD = b"# a bot\nx = 1\n"


def rejected(source: bytes, filename: str = "card_reader.py") -> UploadRejected:
    with pytest.raises(UploadRejected) as caught:
        scan(source, filename)
    return caught.value


@pytest.mark.parametrize(
    "source", [GOOD, b"\xef\xbb\xbf" + GOOD, b"# coding: utf-8\n" + GOOD, "# Käse\n".encode(), b"#" * SOURCE_BYTES]
)
def test_a_text_file_of_some_size_is_let_in(source: bytes) -> None:
    scan(source, "card_reader.py")


@pytest.mark.parametrize("source", [b"", b" \n\t\n"])
def test_an_empty_file_is_refused(source: bytes) -> None:
    assert rejected(source).code == "empty"


def test_a_file_too_large_is_refused_with_both_sizes() -> None:
    refused = rejected(b"#" * (SOURCE_BYTES + 1))
    assert refused.code == "too_large"
    assert "262,145 bytes" in refused.message
    assert "256 KiB" in refused.message


def test_a_nul_byte_is_refused_with_its_line() -> None:
    assert (rejected(b"a\nb\0\n").code, rejected(b"a\nb\0\n").line) == ("nul_byte", 2)


def test_what_is_not_utf8_is_refused_with_its_line() -> None:
    assert (rejected(b"a\n\nb\xff\n").code, rejected(b"a\n\nb\xff\n").line) == ("not_utf8", 3)


@pytest.mark.parametrize(
    "cookie", [b"# coding: latin-1", b"#!/usr/bin/python\n# -*- coding: utf-7 -*-", b"\r# coding: utf-7"]
)
def test_a_declared_encoding_that_is_not_utf8_is_refused(cookie: bytes) -> None:
    assert rejected(cookie + b"\n" + GOOD).code == "not_utf8"


@pytest.mark.parametrize("filename", ["bot.txt", "bot", ".py", "bot.pyc", "bot.py.exe", "bot.PY", ""])
def test_a_file_that_is_not_python_by_its_name_is_refused(filename: str) -> None:
    assert rejected(GOOD, filename).code in {"not_py", "bad_name"}


@pytest.mark.parametrize(
    "filename",
    [
        "1st.py",
        "my bot.py",
        "my-bot.py",
        "a/b.py",
        "../b.py",
        "class.py",
        "None.py",
        "bät.py",
        "a.b.py",
        "x" * 65 + ".py",
    ],
)
def test_a_name_that_cannot_be_imported_is_refused(filename: str) -> None:
    assert rejected(GOOD, filename).code == "bad_name"


@pytest.mark.parametrize(
    "filename", ["random.py", "Random.py", "os.py", "gangland.py", "gangland_bots.py", "__main__.py"]
)
def test_the_name_of_a_module_that_bots_import_is_refused(filename: str) -> None:
    assert rejected(GOOD, filename).code == "taken_name"


@given(st.binary(max_size=300), st.text(max_size=20))
def test_any_file_is_let_in_or_refused_in_words(source: bytes, filename: str) -> None:
    try:
        scan(source, filename)
        told = "let in"
    except UploadRejected as refused:
        told = refused.code and refused.message
    assert told


def test_a_refusal_crosses_processes_whole() -> None:
    refused = pickle.loads(pickle.dumps(UploadRejected("nul_byte", "NUL", 3)))
    assert (refused.code, refused.message, refused.line) == ("nul_byte", "NUL", 3)

"""Texts in files: some editors write a byte order mark before them, which is no part of the text."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import IO


def unmarked(text: bytes) -> bytes:
    """Return a text of UTF-8 without the byte order mark before it, if it has one."""
    return text.removeprefix(BOM_UTF8)


def skip_mark(file: IO[bytes]) -> None:
    """Set a file that can be sought in to its first byte, or behind a byte order mark."""
    file.seek(0)
    if file.read(len(BOM_UTF8)) != BOM_UTF8:
        file.seek(0)

"""The first look at an upload, on our side: size, encoding, name.

Nothing of the file is run or parsed here: a hostile source can exhaust a parser too, so syntax
and the one bot class are found in the jail.
"""

from __future__ import annotations

import keyword
import re
import sys
from codecs import BOM_UTF8
from dataclasses import dataclass
from typing import Final

from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.limits import KIB

SOURCE_BYTES: Final = 256 * KIB
STEM_CHARS: Final = 64
LINE_BYTES: Final = 64 * KIB
_OURS: Final = ("gangland",)
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_COOKIE: Final = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


def scan(source: bytes, filename: str, *, source_bytes: int = SOURCE_BYTES) -> None:
    """Check that a file may become a bot at all.

    Raises:
        UploadRejected: the first thing that is wrong, with a code, a sentence and a line.
    """
    scan_name(filename)
    if not source.strip():
        raise UploadRejected("empty", "the file is empty")
    if len(source) > source_bytes:
        most = f"{source_bytes // KIB} KiB"
        raise UploadRejected("too_large", f"the file has {len(source):,} bytes; {most} are the most")
    if b"\0" in source:
        raise UploadRejected("nul_byte", "the file holds a NUL byte: it is not text", _line_of(source, source.index(0)))
    _check_cookie(source)
    try:
        source.removeprefix(BOM_UTF8).decode()  # the codec of "utf-8-sig" may be out of reach without root
    except UnicodeDecodeError as failure:
        line = _line_of(source, failure.start)
        raise UploadRejected("not_utf8", f"line {line} is not UTF-8: {failure.reason}", line) from failure


def scan_name(filename: str) -> None:
    """Check that a file's name can name a module of its own.

    Raises:
        UploadRejected: the first thing that is wrong.
    """
    stem, dot, suffix = filename.rpartition(".")
    if not dot or suffix != "py":
        raise UploadRejected("not_py", f"a bot is one file that ends in .py, not {filename[:80]!r}")
    if not (stem.isascii() and stem.isidentifier()) or keyword.iskeyword(stem) or len(stem) > STEM_CHARS:
        raise UploadRejected(
            "bad_name",
            f"{filename[:80]!r} cannot be imported: letters, digits and _ before .py, no digit first, "
            f"no word of Python's own, at most {STEM_CHARS} characters",
        )
    if stem.startswith("__") or stem.lower() in sys.stdlib_module_names or stem.lower().startswith(_OURS):
        raise UploadRejected("taken_name", f"{stem!r} is the name of a module that bots import; choose another")


def _check_cookie(source: bytes) -> None:
    """Refuse a declared encoding other than UTF-8 (PEP 263: in the first two lines)."""
    for number, line in enumerate(_LINE_END.split(source.removeprefix(BOM_UTF8)[:LINE_BYTES], maxsplit=2)[:2], start=1):
        found = _COOKIE.match(line)
        if found and found[1].decode().lower().replace("_", "-") not in ("utf-8", "utf8", "utf-8-sig"):
            named = found[1].decode()[:40]
            raise UploadRejected("not_utf8", f"line {number} declares the encoding {named!r}; bots are UTF-8", number)


def _line_of(source: bytes, offset: int) -> int:
    return source.count(b"\n", 0, offset) + 1


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a bot is made of: its files by name, and the one that is loaded."""

    main: str
    files: dict[str, bytes]


def unpack(code: bytes, filename: str) -> Bundle:
    """Return the files of an upload, once they have been checked.

    Raises:
        UploadRejected: the first thing that is wrong.
    """
    scan(code, filename)
    return Bundle(filename, {filename: code})

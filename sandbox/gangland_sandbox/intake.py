"""Check an upload before it reaches the jail: size, encoding and names; zips are read in memory.

No part of an upload is run or parsed as Python here, because a hostile source can exhaust even a parser.  Syntax and
the bot class are checked in the jail.
"""

import keyword
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gangland_sandbox.caps import NUMERIC as NUMERIC
from gangland_sandbox.caps import PLAIN as PLAIN
from gangland_sandbox.caps import Caps as Caps
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.limits import KIB
from gangland_sandbox.zips import MAGICS, quoted, read_zip

SOURCE_BYTES: Final = PLAIN.source_bytes
BOT_NAME_CHARS: Final = 64  # also the limit for the file's stem, which is the default name
LINE_BYTES: Final = 64 * KIB
ZIP_MAIN: Final = "bot.py"
"""The file in a zip that contains the bot."""

_RESERVED_PREFIXES: Final = ("gangland",)
_RESERVED_MODULES: Final = frozenset(("numpy", "sitecustomize", "usercustomize"))
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_ENCODING: Final = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_ZIP_STEM: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_COMPILED: Final = re.compile(r"\.(so(\.[0-9]+)*|pyd|dll|dylib|pth|pyc|pyo)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Bundle:
    """An upload as it is sent to the jail."""

    main: str  # the file that contains the bot, one of `files`
    files: dict[str, bytes]  # by path, with `/` between its parts


def is_zip(code: bytes) -> bool:
    """Return whether an upload's first bytes are those of a zip; no Python source begins like that."""
    return code.startswith(MAGICS)


def filename_of(name: str, code: bytes) -> str:
    """Return the file name of a bot, from its name and its content."""
    return f"{name}.zip" if is_zip(code) else f"{name}.py"


def stem_of(filename: str) -> str:
    """Return a bot's file name without `.py` or `.zip`."""
    return filename.removesuffix(".zip") if filename.endswith(".zip") else filename.removesuffix(".py")


def main_of(filename: str) -> str:
    """Return the Python file that contains the bot: the upload itself, or `bot.py` in a zip."""
    return ZIP_MAIN if filename.endswith(".zip") else filename


def unpack(code: bytes, filename: str, caps: Caps = PLAIN) -> Bundle:
    """Check an upload without running it, and return its files.

    If one folder of a zip holds all files, `bot.py` among them, its name is removed from the paths.  Files that macOS
    adds to a zip (`__MACOSX`, `.DS_Store`) are ignored.

    Raises UploadRejected: the first problem, with a code, a message and a line.
    """
    if not filename.endswith(".zip"):
        if is_zip(code):
            raise UploadRejected(
                "not_py", f"{filename[:80]!r} has the content of a zip: give it a name that ends in .zip"
            )
        scan(code, filename, source_bytes=caps.source_bytes)
        return Bundle(filename, {filename: code})
    _scan_zip_name(filename)
    if not code.strip():
        raise UploadRejected("empty", "the file is empty")
    files = _without_folder(_without_macos_files(read_zip(code, caps)))
    modules = {path.removesuffix(".py") for path in files if path.endswith(".py")}
    packages = {folder for module in modules for folder in _folders_of(module)}
    for path in files:
        _check_path(path)
    if ZIP_MAIN not in files:
        raise UploadRejected("zip_no_bot", _no_bot_message(files))
    if ambiguous := sorted(modules & packages):
        both = f"{ambiguous[0]}.py and the folder {ambiguous[0]}"
        raise UploadRejected("zip_module_twice", f"{both} would be imported under one name: rename one of them")
    for path, content in files.items():
        if path.endswith(".py"):
            _scan_member(path, content, caps.source_bytes)
    return Bundle(ZIP_MAIN, files)


def scan(source: bytes, filename: str, *, source_bytes: int = SOURCE_BYTES) -> None:
    """Check a single Python file.  Raises UploadRejected: it is not a valid bot."""
    scan_name(filename)
    if not source.strip():
        raise UploadRejected("empty", "the file is empty")
    if len(source) > source_bytes:
        limit = f"{source_bytes // KIB} KiB"
        raise UploadRejected("too_large", f"the file has {len(source):,} bytes; the limit is {limit}")
    _check_text(source)


def scan_name(filename: str) -> None:
    """Check that a file's name can be a new module's name.  Raises UploadRejected: the first problem."""
    stem, dot, suffix = filename.rpartition(".")
    if not dot or suffix != "py":
        raise UploadRejected("not_py", f"a bot is one file that ends in .py, or a .zip, not {filename[:80]!r}")
    if not (stem.isascii() and stem.isidentifier()) or keyword.iskeyword(stem) or len(stem) > BOT_NAME_CHARS:
        raise UploadRejected(
            "bad_name",
            f"{filename[:80]!r} cannot be imported: before .py, use only letters, digits and _, no leading digit, "
            f"no Python keyword, and at most {BOT_NAME_CHARS} characters",
        )
    if _is_taken(stem):
        raise UploadRejected("taken_name", f"{stem!r} is the name of a module that bots import; choose another")


def _is_taken(stem: str) -> bool:
    """Return whether a module of this name would hide one that bots import, or be run by Python itself."""
    name = stem.lower()
    return name.startswith(("__", *_RESERVED_PREFIXES)) or name in sys.stdlib_module_names or name in _RESERVED_MODULES


def _check_text(source: bytes) -> None:
    if b"\0" in source:
        raise UploadRejected(
            "nul_byte", "the file contains a NUL byte, so it is not text", _line_of(source, source.index(0))
        )
    _check_encoding(source)
    try:
        source.removeprefix(BOM_UTF8).decode()  # root's files, such as the codec "utf-8-sig", may be inaccessible
    except UnicodeDecodeError as error:
        line = _line_of(source, error.start)
        raise UploadRejected("not_utf8", f"line {line} is not UTF-8: {error.reason}", line) from error


def _check_encoding(source: bytes) -> None:
    """Reject a declared encoding other than UTF-8 (PEP 263: in the first two lines)."""
    for number, line in enumerate(_LINE_END.split(source.removeprefix(BOM_UTF8)[:LINE_BYTES], maxsplit=2)[:2], start=1):
        declared = _ENCODING.match(line)
        if declared and declared[1].decode().lower().replace("_", "-") not in ("utf-8", "utf8", "utf-8-sig"):
            name = declared[1].decode()[:40]
            raise UploadRejected("not_utf8", f"line {number} declares the encoding {name!r}; bots use UTF-8", number)


def _line_of(source: bytes, offset: int) -> int:
    return source.count(b"\n", 0, offset) + 1


def _scan_zip_name(filename: str) -> None:
    stem = stem_of(filename)
    if not _ZIP_STEM.fullmatch(stem) or len(stem) > BOT_NAME_CHARS:
        raise UploadRejected(
            "bad_name",
            f"{filename[:80]!r} cannot name a bot: before .zip, use only letters, digits, _ - and ., "
            f"and at most {BOT_NAME_CHARS} characters",
        )


def _without_macos_files(files: dict[str, bytes]) -> dict[str, bytes]:
    return {path: content for path, content in files.items() if not _is_from_macos(path.split("/"))}


def _is_from_macos(parts: list[str]) -> bool:
    return parts[0] == "__MACOSX" or parts[-1] == ".DS_Store"


def _without_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """Remove the folder that contains all files from their paths, as if only its content had been zipped."""
    top, slash, _ = next(iter(files), "").partition("/")
    folder = top + slash
    if not slash or f"{folder}{ZIP_MAIN}" not in files or not all(path.startswith(folder) for path in files):
        return files
    return {path.removeprefix(folder): content for path, content in files.items()}


def _check_path(path: str) -> None:
    parts = path.split("/")
    if "__pycache__" in parts or _COMPILED.search(path):
        raise UploadRejected(
            "zip_compiled",
            f"{quoted(path)} is compiled or changes how Python starts: send only sources and data, "
            "for example with zip -r my_bot.zip . -x '*__pycache__*'",
        )
    if path == "__init__.py":
        raise UploadRejected(
            "taken_name", "the folder of bot.py is not a package: leave its __init__.py out, and import helpers by name"
        )
    top, *inner = parts
    last = parts[-1]
    if (inner or last.endswith(".py")) and _is_taken(top.removesuffix(".py")):
        raise UploadRejected("taken_name", f"{quoted(top)} has the name of a module that bots import; choose another")
    if last in ("__main__.py", "sitecustomize.py", "usercustomize.py"):
        raise UploadRejected("taken_name", f"{quoted(path)} has a name that Python runs automatically; choose another")


def _no_bot_message(files: Iterable[str]) -> str:
    names = sorted(files)
    similar = next((path for path in names if path.lower().split("/")[-1] == ZIP_MAIN), None)
    if similar is None:
        similar = next((path for path in names if path.endswith(".py")), None)
    hint = f"; found {quoted(similar)}: {ZIP_MAIN} must be at the top level of the zip" if similar is not None else ""
    return f"the zip has no {ZIP_MAIN}, the file with the bot{hint}"


def _folders_of(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]


def _scan_member(path: str, source: bytes, limit_bytes: int) -> None:
    """Check a Python file of a zip like a single file; only the bot's module may not be empty."""
    try:
        if path == ZIP_MAIN and not source.strip():
            raise UploadRejected("empty", "the file is empty")
        if len(source) > limit_bytes:
            raise UploadRejected(
                "too_large", f"the file has {len(source):,} bytes; the limit is {limit_bytes // KIB} KiB"
            )
        _check_text(source)
    except UploadRejected as error:
        line = error.line if path == ZIP_MAIN else None
        has_line = error.line is None or f"line {error.line}" in error.message
        place = path if has_line else f"{path}, line {error.line}"
        raise UploadRejected(error.code, f"{place}: {error.message}", line) from error

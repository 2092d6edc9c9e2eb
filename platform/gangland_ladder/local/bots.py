"""Bots as files on the author's own disk."""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from gangland.games import GAME_NAMES
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import NUMERIC, ZIP_MAIN, is_zip, stem_of, unpack

_NO_NAME = re.compile(rb"#[^\n]*|[()\\]")
_IMPORT = re.compile(
    rb"""
    (?:
        \#[^\n]*
        | \"{3} (?: [^"\\]++ | \\. | "(?!"") )* (?: \"{3} | \Z )
        | \'{3} (?: [^'\\]++ | \\. | '(?!'') )* (?: \'{3} | \Z )
        | " (?: [^"\\\n]++ | \\. )* "? | ' (?: [^'\\\n]++ | \\. )* '?
    )
    | \bfrom SPACE+ gangland (?: \.(\w+)[\w.]* )? SPACE+ import\b SPACE*
        ( \( (?: \#[^\n]* | [^)\#] ){0,4000} | (?: [^\n;\#\\] | \\\r?\n )* )
    | \bimport SPACE+ ( (?: [^\n;\#\\] | \\\r?\n )* )
    """.replace(b"SPACE", rb"(?:[ \t\f]|\\\r?\n)"),
    re.DOTALL | re.VERBOSE,
)
"""Strings and comments, with which nothing is done, and import statements."""


class NoSuchBot(ValueError):
    """A path that gives no bot, or bots that cannot be told apart; a mistake in the call."""


@dataclass(frozen=True, slots=True)
class LocalBot:
    """A bot's file or zip, read once; `path` is where from."""

    name: str
    filename: str
    source: bytes
    path: Path | None = field(default=None, compare=False)

    @property
    def code(self) -> str:
        """The SHA-256 of the source, in hexadecimal."""
        return sha256(self.source).hexdigest()


def read_bot(path: Path) -> LocalBot:
    """Read one bot's file, zip or folder, whatever is in it: the referee and the jail check that, and blame it.

    A folder with a `bot.py` is read as the zip that can be made of it.

    Raises:
        NoSuchBot: no such file, or one that cannot be read.
    """
    try:
        if is_folder_bot(path):
            name = path.resolve().name
            return LocalBot(name, f"{name}.zip", _zipped(path), path)
        if not path.is_file():
            raise NoSuchBot(f"no bot's file at {path}: expected a file such as my_bot.py, or a folder with a bot.py")
        with path.open("rb") as file:
            source = file.read(NUMERIC.largest_bytes + 1)
    except OSError as error:
        raise NoSuchBot(f"cannot read {error.filename or path}: {error.strerror}") from error
    return LocalBot(stem_of(path.name), path.name, source, path)


def is_folder_bot(path: Path) -> bool:
    """Return whether a path is a folder that is one bot."""
    return (path / ZIP_MAIN).is_file()


def _zipped(folder: Path) -> bytes:
    """Return a zip of a bot's folder, the same bytes for the same files; tests and hidden files are left out."""
    files: dict[str, Path] = {}
    for parent, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__pycache__")))
        for name in names:
            if not name.startswith((".", "test_")) and not name.endswith(".pyc"):
                files[(Path(parent) / name).relative_to(folder).as_posix()] = Path(parent) / name
        if len(files) > NUMERIC.entries:
            raise NoSuchBot(f"{folder} has more than {NUMERIC.entries} files, which is more than a bot may have")
    written, left = BytesIO(), NUMERIC.unpacked_bytes
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for name, file in sorted(files.items()):
            with file.open("rb") as stream:
                content = stream.read(left + 1)
            left -= len(content)
            if left < 0:
                raise NoSuchBot(f"{folder} has more than {NUMERIC.unpacked_bytes:,} bytes, more than a bot may have")
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return written.getvalue()


def _raise(error: OSError) -> None:
    raise error


def find_bots(paths: Sequence[Path]) -> list[LocalBot]:
    """Return the bots of files and folders, sorted by name.

    A folder with a `bot.py` is one bot.  Any other gives its `.py` and `.zip` files, tests left out, and those of its
    folders that are one bot.

    Raises:
        NoSuchBot: a path without a bot, or two bots of one name.
    """
    bots: list[LocalBot] = []
    for path in paths:
        bots += [read_bot(file) for file in files_of(path)]
    return by_name(bots)


def files_of(path: Path) -> list[Path]:
    """Return the paths of the bots that a path gives, in order; see `find_bots`.

    Raises:
        NoSuchBot: a folder without a bot.
    """
    if not path.is_dir() or is_folder_bot(path):
        return [path]
    inside = [*path.glob("*.py"), *path.glob("*.zip"), *(main.parent for main in path.glob(f"*/{ZIP_MAIN}"))]
    files = sorted(file for file in inside if not file.name.startswith((".", "_", "test_")))
    if not files:
        raise NoSuchBot(f"no bot's file in {path}: expected files like my_bot.py")
    return files


def by_name(bots: Sequence[LocalBot]) -> list[LocalBot]:
    """Return bots sorted by name; NoSuchBot where two have the same."""
    found = sorted(bots, key=lambda bot: bot.name)
    for first, second in pairwise(found):
        if first.name == second.name:
            raise NoSuchBot(f"two bots are called {first.name!r}: rename one of the files")
    return found


def game_of(bots: Sequence[LocalBot], given: str | None) -> str:
    """Return the game that the bots play: the one given, else the one that those import which import any.

    Raises:
        NoSuchBot: the game cannot be told, or the bots play different ones.
    """
    if given is not None:
        if given not in GAME_NAMES:
            raise NoSuchBot(f"no game {given!r}; there are {', '.join(GAME_NAMES)}")
        return given
    games = {bot.name: imported_games(bot.source) for bot in bots}
    telling = [found for found in games.values() if found]
    common = set(GAME_NAMES).intersection(*telling)
    if telling and len(common) == 1:
        return common.pop()
    if all(telling) and len(telling) == len(games) and not common:
        listing = ", ".join(f"{name} plays {' and '.join(sorted(found))}" for name, found in games.items())
        raise NoSuchBot(f"these bots are of different games, so they cannot meet: {listing}")
    listing = "; ".join(f"{name}: {', '.join(sorted(found)) or 'none'}" for name, found in games.items())
    raise NoSuchBot(f"which game do these bots play? Say --game {' or --game '.join(GAME_NAMES)}. Imported: {listing}")


def imported_games(source: bytes) -> set[str]:
    """Return the games that a source, or any module of a zip, imports.

    Where it imports several, those whose `Bot` a class extends, if one does.
    """
    games = named_games(source)
    return (
        games if len(games) < 2 else {each for module in _modules(source) for each in _extended_games(module)} or games
    )


def named_games(source: bytes) -> set[str]:
    """Return the games that the import statements of a source, or of any module of a zip, name.

    Strings and comments tell nothing.  No syntax tree is made: a stranger's source may exhaust a parser (one line of
    250,000 characters takes it a minute), and this Python may be older than the source.
    """
    found = [match.groups(b"") for module in _modules(source) for match in _IMPORT.finditer(module)]
    names: list[str] = []
    for package, imported, modules in found:
        names += [package.decode()] if package else _listed(imported)
        names += [path.split(".")[1] for path in _listed(modules) if path.startswith("gangland.")]
    return _games(names)


def _listed(names: bytes) -> list[str]:
    """Return the names of a list that may have brackets, comments and `as`."""
    parts = _NO_NAME.sub(b" ", names).decode("ascii", "replace").split(",")
    return [part.split()[0] for part in parts if part.strip()]


def _games(names: Iterable[str]) -> set[str]:
    return {name.replace("_", "-") for name in names}.intersection(GAME_NAMES)


def no_game() -> UploadRejected:
    """Return the refusal of a source in which no game's import was found."""
    wanted = " or ".join(f"`from gangland import {name.replace('-', '_')}`" for name in GAME_NAMES)
    return UploadRejected("no_game", f"a bot begins with {wanted} (or say which game it plays)")


def _extended_games(module: bytes) -> set[str]:
    """Return the games whose `Bot` is a base of a class in a module; none where Python cannot read it."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of what its strings escape
            return _games_of(list(ast.walk(ast.parse(module))))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()


def _games_of(nodes: list[ast.AST]) -> set[str]:
    full: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            full |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
        elif isinstance(node, ast.Import):
            full |= {each.asname: each.name for each in node.names if each.asname}
    bases = [
        ast.unparse(base).partition(".") for node in nodes if isinstance(node, ast.ClassDef) for base in node.bases
    ]
    paths = [f"{full.get(first, first)}{dot}{rest}".split(".") for first, dot, rest in bases]
    return _games(path[1] for path in paths if len(path) > 2 and (path[0], path[-1]) == ("gangland", "Bot"))


def _modules(source: bytes) -> list[bytes]:
    """Return the Python files of an upload; none of a zip that intake refuses."""
    if not is_zip(source):
        return [source]
    try:
        files = unpack(source, "bot.zip", NUMERIC).files
    except UploadRejected:
        return []
    return [content for path, content in files.items() if path.endswith(".py")]

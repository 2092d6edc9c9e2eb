"""Bots on an author's own disk: reading files, finding house bots by name, and creating new bots."""

import ast
import keyword
import os
import re
import secrets
import shutil
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from string import Template
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from gangland.games import GAME_NAMES, game_named
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import NUMERIC, ZIP_MAIN, is_zip, scan_name, stem_of, unpack

# Bots as files, and finding out each bot's game.


_COMMENT_OR_PUNCTUATION = re.compile(rb"#[^\n]*|[()\\]")
# Matches import statements, and also strings and comments, so that these are skipped.
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


class InvalidArgument(ValueError):
    """A command's argument is wrong, or a file that it names cannot be used; the message is for the user."""


@dataclass(frozen=True, slots=True)
class LocalBot:
    """A bot's file or zip, read once from `path`."""

    name: str
    filename: str
    source: bytes
    path: Path | None = field(default=None, compare=False)

    @property
    def sha256(self) -> str:
        """The SHA-256 of the source, in hexadecimal digits."""
        return sha256(self.source).hexdigest()


def read_bot(path: Path) -> LocalBot:
    """Read a bot from a file, a zip, or a folder with a `bot.py`. Raises InvalidArgument: the path cannot be read."""
    # The contents are not checked here: the referee and the jail check them, and an error counts against the bot.
    try:
        if is_folder_bot(path):
            name = path.resolve().name
            return LocalBot(name, f"{name}.zip", _zip_folder(path), path)
        if not path.is_file():
            raise InvalidArgument(f"no bot at {path}: expected a file such as my_bot.py, or a folder with bot.py")
        with path.open("rb") as file:
            source = file.read(NUMERIC.largest_bytes + 1)
    except OSError as error:
        raise InvalidArgument(f"cannot read {error.filename or path}: {error.strerror}") from error
    return LocalBot(stem_of(path.name), path.name, source, path)


def is_folder_bot(path: Path) -> bool:
    """Return whether a path is the folder of a single bot."""
    return (path / ZIP_MAIN).is_file()


def _zip_folder(folder: Path) -> bytes:
    """Return a bot's folder as a zip without tests and hidden files; the same files give the same bytes."""
    files: dict[str, Path] = {}
    for parent, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__pycache__")))
        for name in names:
            if not name.startswith((".", "test_")) and not name.endswith(".pyc"):
                files[(Path(parent) / name).relative_to(folder).as_posix()] = Path(parent) / name
        if len(files) > NUMERIC.entries:
            raise InvalidArgument(f"{folder} has too many files: expected at most {NUMERIC.entries}")
    buffer, left_bytes = BytesIO(), NUMERIC.unpacked_bytes
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, file in sorted(files.items()):
            with file.open("rb") as stream:
                content = stream.read(left_bytes + 1)
            left_bytes -= len(content)
            if left_bytes < 0:
                raise InvalidArgument(f"{folder} is too large: expected at most {NUMERIC.unpacked_bytes:,} bytes")
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return buffer.getvalue()


def _raise(error: OSError) -> None:
    raise error


def find_bots(paths: Sequence[Path]) -> list[LocalBot]:
    """Return the bots at these paths, sorted by name. Raises InvalidArgument: no bot at a path, or equal names."""
    bots: list[LocalBot] = []
    for path in paths:
        bots += [read_bot(file) for file in files_of(path)]
    return sort_by_name(bots)


def files_of(path: Path) -> list[Path]:
    """Return the paths of the bots at a path, sorted. Raises InvalidArgument: the path is a folder without a bot."""
    if not path.is_dir() or is_folder_bot(path):
        return [path]
    # A folder with a `bot.py` is one bot. In any other folder, each file except tests is a bot, and so is each
    # subfolder with a `bot.py`.
    bot_paths = [*path.glob("*.py"), *path.glob("*.zip"), *(main.parent for main in path.glob(f"*/{ZIP_MAIN}"))]
    files = sorted(file for file in bot_paths if not file.name.startswith((".", "_", "test_")))
    if not files:
        raise InvalidArgument(f"no bot in {path}: expected files such as my_bot.py")
    return files


def sort_by_name(bots: Sequence[LocalBot]) -> list[LocalBot]:
    """Return bots sorted by name. Raises InvalidArgument: two have the same name."""
    ordered = sorted(bots, key=lambda bot: bot.name)
    for first, second in pairwise(ordered):
        if first.name == second.name:
            raise InvalidArgument(f"two bots are called {first.name!r}: rename one of the files")
    return ordered


def game_of(bots: Sequence[LocalBot], game: str | None, default: str | None = None) -> str:
    """Return `game` if it is given, else the only game that fits the bots' imports, else `default` if it fits them.

    Raises InvalidArgument: the game is unknown or unclear, or the bots play different games.
    """
    if game is not None:
        if game not in GAME_NAMES:
            raise InvalidArgument(f"unknown game {game!r}: expected {' or '.join(GAME_NAMES)}")
        return game
    games = {bot.name: imported_games(bot.source) for bot in bots}
    imported = [names for names in games.values() if names]
    common = set(GAME_NAMES).intersection(*imported)
    if imported and len(common) == 1:
        return common.pop()
    if default in common:
        return default
    if len(imported) == len(games) and not common:
        listing = ", ".join(f"{name} plays {' and '.join(sorted(names))}" for name, names in games.items())
        raise InvalidArgument(f"these bots play different games: {listing}")
    listing = "; ".join(f"{name}: {', '.join(sorted(names)) or 'none'}" for name, names in games.items())
    raise InvalidArgument(f"the game is unclear: give --game {' or --game '.join(GAME_NAMES)}. Imported: {listing}")


def imported_games(source: bytes) -> set[str]:
    """Return the games that a source imports; if there are several, only those whose `Bot` it extends, if any."""
    games = named_games(source)
    if len(games) < 2:
        return games
    return {game for module in _modules(source) for game in _extended_games(module)} or games


def named_games(source: bytes) -> set[str]:
    """Return the games in the import statements of a source, or of any module of a zip."""
    # The source is not parsed: that may take too long (a minute for one line of 250,000 characters), and the source may
    # be for a newer Python than this one.
    matches = [match.groups(b"") for module in _modules(source) for match in _IMPORT.finditer(module)]
    names: list[str] = []
    for package, imported, modules in matches:
        names += [package.decode()] if package else _imported_names(imported)
        names += [path.split(".")[1] for path in _imported_names(modules) if path.startswith("gangland.")]
    return _games(names)


def _imported_names(names: bytes) -> list[str]:
    parts = _COMMENT_OR_PUNCTUATION.sub(b" ", names).decode("ascii", "replace").split(",")
    return [part.split()[0] for part in parts if part.strip()]


def _games(names: Iterable[str]) -> set[str]:
    return {name.replace("_", "-") for name in names}.intersection(GAME_NAMES)


def no_game_error() -> UploadRejected:
    """Return the error for a source that imports no game."""
    imports = " or ".join(f"`from gangland import {name.replace('-', '_')}`" for name in GAME_NAMES)
    return UploadRejected("no_game", f"no game is imported: add {imports}, or specify the game")


def _extended_games(module: bytes) -> set[str]:
    """Return the games whose `Bot` is a base of a class in a module; empty if Python cannot parse it."""
    try:
        with warnings.catch_warnings(action="ignore"):  # warnings about escapes in its strings
            return _games_of(list(ast.walk(ast.parse(module))))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()


def _games_of(nodes: list[ast.AST]) -> set[str]:
    full_names: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            full_names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            full_names |= {alias.asname: alias.name for alias in node.names if alias.asname}
    bases = [
        ast.unparse(base).partition(".") for node in nodes if isinstance(node, ast.ClassDef) for base in node.bases
    ]
    paths = [f"{full_names.get(first, first)}{dot}{rest}".split(".") for first, dot, rest in bases]
    return _games(path[1] for path in paths if len(path) > 2 and (path[0], path[-1]) == ("gangland", "Bot"))


def _modules(source: bytes) -> list[bytes]:
    if not is_zip(source):
        return [source]
    try:
        files = unpack(source, "bot.zip", NUMERIC).files
    except UploadRejected:
        return []
    return [content for path, content in files.items() if path.endswith(".py")]


# House bots, which are found by name.


def house_bots() -> dict[str, dict[str, Path]]:
    """Return the files of all house bots, by game and name."""
    paths_by_game: dict[str, dict[str, Path]] = {}
    for game in GAME_NAMES:
        folder = Path(str(files("gangland_bots"))) / game.replace("-", "_")
        paths = sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))
        paths_by_game[game] = {path.stem: path for path in paths}
    return paths_by_game


def paths_of(paths: Sequence[Path], game: str | None, default: str | None = None) -> list[Path]:
    """Return the paths, with names of house bots replaced by their paths; an existing file takes precedence.

    If a name exists in both games, `game` decides, else the other bots' imports, else `default`.

    Raises InvalidArgument: there is no such house bot, or the game is unclear.
    """
    names = {path for path in paths if not path.exists() and path.suffix == "" and path.name == str(path)}
    if not names:
        return list(paths)
    house = house_bots()
    files = [path for path in paths if game is None and path not in names and (path.is_file() or is_folder_bot(path))]
    imported = [games for path in files if (games := imported_games(read_bot(path).source))]
    games = {game} if game is not None else set(GAME_NAMES).intersection(*imported)
    return [_house_bot_path(path, house, games, default) if path in names else path for path in paths]


def _house_bot_path(path: Path, house: dict[str, dict[str, Path]], games: set[str], default: str | None) -> Path:
    games_with_bot = [game for game in GAME_NAMES if path.name in house[game]]
    candidates = [game for game in games_with_bot if game in games]
    if not games_with_bot:
        names = sorted({name for bots in house.values() for name in bots})
        raise InvalidArgument(f"no bot at {path}, and no house bot with that name: expected one of {', '.join(names)}")
    if default in candidates:
        candidates = [default]
    if len(candidates) != 1:
        raise InvalidArgument(f"several house bots are called {path}: give --game {' or --game '.join(games_with_bot)}")
    return house[candidates[0]][path.name]


# Creating a first bot from the starters: either all files are written, or none.


_STARTERS: Final = files(__package__) / "starters"


class CreateError(ValueError):
    """No file was created; the message explains why, and what is required."""


def create_bot(name: str, game: str, folder: Path) -> dict[str, str]:
    """Write a bot's file, its test and a README into a folder; return the files' names with their descriptions.

    Raises CreateError: the name is invalid, a file already exists, or the folder cannot be written.
    """
    if game not in starter_games():
        raise CreateError(f"there is no starter for {game}: expected {' or '.join(starter_games())}")
    try:
        scan_name(f"{name}.py")
    except UploadRejected as error:
        raise CreateError(error.message) from error
    texts = _texts(name, game)
    try:
        _write(folder, {file: text for file, (text, _) in texts.items()})
    except OSError as error:
        raise CreateError(f"cannot write {folder}: {error.strerror or error}; nothing was created") from error
    return {file: description for file, (_, description) in texts.items()}


def starter_games() -> list[str]:
    """Return the games that have a starter."""
    return [game for game in GAME_NAMES if (_STARTERS / game).is_dir()]


def starter_source(name: str, game: str) -> str:
    """Return the source of the first bot of a game that has a starter."""
    return _texts(name, game)[f"{name}.py"][0]


def class_name(name: str) -> str:
    """Return the class name for a module's name, such as MyBot for my_bot; it is never a name in a game's API."""
    reserved = _api_names()
    title = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    if not title.isidentifier() or keyword.iskeyword(title) or title in reserved:
        title = f"{title}Bot" if f"{title}Bot".isidentifier() else f"Bot{title}"
    return title if title not in reserved else "MyBot"


@cache
def _api_names() -> frozenset[str]:
    return frozenset(kind.__name__ for game in GAME_NAMES for kind, _ in game_named(game).api)


def _texts(name: str, game: str) -> dict[str, tuple[str, str]]:
    values = {"name": name, "cls": class_name(name), "game": game, "title": game_named(game).title}

    def text(*path: str) -> str:
        return Template(_STARTERS.joinpath(*path).read_text(encoding="utf-8")).substitute(values)

    return {
        f"{name}.py": (text(game, "bot.py.txt"), "the bot, with each decision explained"),
        f"test_{name}.py": (text(game, "test.py.txt"), "a test that plays it"),
        "README.md": (text("README.md.txt"), "what to do next"),
    }


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Write either all files or no file: write them to a draft folder, then rename it or link its files."""
    unchanged = "nothing was created. Choose another name or --dir"
    if folder.is_dir():
        existing = [file for file in texts if os.path.lexists(folder / file)]
        if existing:
            raise CreateError(f"{folder / existing[0]} already exists; {unchanged}")
    elif os.path.lexists(folder):
        raise CreateError(f"{folder} already exists and is not a folder; {unchanged}")
    elif not folder.parent.is_dir():
        raise CreateError(f"there is no folder {folder.parent}; nothing was created")
    draft = (folder if folder.is_dir() else folder.parent) / f".new-{secrets.token_hex(8)}"
    draft.mkdir()
    try:
        for file, text in texts.items():
            (draft / file).write_text(text, encoding="utf-8")
        if folder.is_dir():
            _link_all(draft, folder, list(texts))
        else:
            draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _link_all(source: Path, folder: Path, names: list[str]) -> None:
    linked: list[Path] = []
    try:
        for name in names:
            os.link(source / name, folder / name)
            linked.append(folder / name)
    except OSError:
        for path in linked:
            with suppress(OSError):
                path.unlink()
        raise

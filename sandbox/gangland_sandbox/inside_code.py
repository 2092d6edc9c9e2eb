"""Load a bot's files from memory inside the jail.  Part of the harness.

It is copied unchanged into the jail's runtime, so it imports only the standard library and `gangland`.  Module-level
imports cost time at every start of a jail, so modules needed only for zips are imported when they are used.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, Final

SHOWN_CHARS: Final = 120
MAX_LISTED: Final = 20
BOM: Final = b"\xef\xbb\xbf"
"""The byte order mark of some editors; decoding with "utf-8-sig" would import a codec each time."""

OVERRIDABLE: Final = ("act", "on_game_start", "on_game_end")
"""The methods that a bot may override, in addition to the `choose_*` methods of its game."""

_files: Mapping[str, bytes] = {}


class Source:
    """A module loader that gives tracebacks the bot's source lines."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, _name: str) -> str:
        """Return the file's text, for `linecache`."""
        return self._text


def load_bundle(main: str, files: Mapping[str, bytes]) -> ModuleType:
    """Run the bot's main file and return its module; the other files can be imported and read.

    Raises BaseException: any exception from the bot's code.
    """
    global _files
    _files = files
    if len(files) == 1:
        return _load_single_file(files[main], main)
    sys.meta_path.insert(0, _finder(files))
    return import_module(main.removesuffix(".py"))


def owns(filename: str) -> bool:
    """Return whether a file of this name was uploaded with the bot."""
    return filename in _files


def data(name: str) -> bytes:
    """Return a file of the upload by its path.  Raises FileNotFoundError: it is missing; the message lists others."""
    try:
        return _files[name]
    except KeyError:
        names = _join_names(_files)
        raise FileNotFoundError(f"the upload has no file {show(name)}; it has {names}") from None


def _load_single_file(source: bytes, filename: str) -> ModuleType:
    stem = filename.removesuffix(".py")
    module = ModuleType(stem)
    module.__file__ = filename
    text = source.removeprefix(BOM).decode()  # compiled as text, so a declared encoding is ignored
    module.__loader__ = Source(text)  # type: ignore[assignment]
    sys.modules[stem] = module
    exec(compile(text, filename, "exec", dont_inherit=True), module.__dict__)  # noqa: S102  (this is the jail's purpose)
    return module


def _finder(files: Mapping[str, bytes]) -> Any:
    from importlib.machinery import ModuleSpec

    folders = {path[:at] for path in files for at in range(len(path)) if path[at] == "/"}
    loaders = _loaders(files, folders)

    class Finder:
        @staticmethod
        def find_spec(name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
            """Return the spec of a module or package of the upload; packages take priority, as on disk."""
            inner = name.replace(".", "/")
            for path, is_package in ((f"{inner}/__init__.py", True), (f"{inner}.py", False)):
                if path in files:
                    spec = ModuleSpec(name, loaders(name, path), origin=path, is_package=is_package)
                    spec.has_location = True
                    break
            else:
                if inner not in folders:
                    return None
                spec = ModuleSpec(name, loaders(name, f"{inner}/__init__.py"), is_package=True)
            if spec.submodule_search_locations is not None:
                spec.submodule_search_locations.append(inner)
            return spec

    return Finder


def _loaders(files: Mapping[str, bytes], folders: set[str]) -> Any:
    # It derives from Python's own source loader, because Python leaves the frames of that loader out of tracebacks.
    from importlib.machinery import SourceFileLoader

    class Loader(SourceFileLoader):
        def path_stats(self, path: Any) -> Any:
            raise OSError(f"{path} is in memory")  # so Python does not look for bytecode

        def get_data(self, path: Any) -> bytes:
            if path not in files and path.endswith("/__init__.py"):
                return b""  # a folder without this file is also a package
            content = _file_of(files, path)
            # Source files get a UTF-8 byte order mark, so that a declared encoding is ignored.
            return b"\xef\xbb\xbf" + content.removeprefix(b"\xef\xbb\xbf") if path.endswith(".py") else content

        def get_resource_reader(self, name: Any = None) -> Any:
            return _Reader(_BundlePath(files, folders, str(self.path).rpartition("/")[0]))

    return Loader


def _file_of(files: Mapping[str, bytes], path: str) -> bytes:
    if path not in files:
        raise FileNotFoundError(f"the upload has no file {show(path)}")
    return files[path]


class _Reader:
    def __init__(self, place: _BundlePath) -> None:
        self._place = place

    def files(self) -> _BundlePath:
        return self._place


class _BundlePath:
    """A file or folder of the upload for `importlib.resources.files` (a `Traversable`)."""

    def __init__(self, files: Mapping[str, bytes], folders: set[str], path: str) -> None:
        self._files = files
        self._folders = folders
        self._path = path

    def __repr__(self) -> str:
        return f"<{self._path or '.'} of the upload>"

    def __truediv__(self, child: str) -> _BundlePath:
        return self.joinpath(child)

    def joinpath(self, *parts: str) -> _BundlePath:
        path = "/".join(part for part in (self._path, *parts) if part)
        return _BundlePath(self._files, self._folders, path)

    @property
    def name(self) -> str:
        return self._path.rpartition("/")[2]

    def is_file(self) -> bool:
        return self._path in self._files

    def is_dir(self) -> bool:
        return not self._path or self._path in self._folders

    def iterdir(self) -> Any:
        start = f"{self._path}/" if self._path else ""
        inside = (path[len(start) :] for path in [*self._files, *self._folders] if path.startswith(start))
        return iter([self / child for child in sorted(inside) if "/" not in child])

    def read_bytes(self) -> bytes:
        return _file_of(self._files, self._path)

    def read_text(self, encoding: str | None = None, errors: str = "strict") -> str:
        with self.open("r", encoding=encoding, errors=errors) as stream:
            text: str = stream.read()
        return text

    def open(self, mode: str = "r", encoding: str | None = None, errors: str | None = None, **_keywords: Any) -> Any:
        import io

        stream = io.BytesIO(self.read_bytes())
        return stream if "b" in mode else io.TextIOWrapper(stream, encoding or "utf-8", errors)


def find_bot(module: ModuleType, game_base: type, base: type) -> type:
    """Return the module's bot class: `BOT` if it is set, or else the only subclass of `game_base`.

    Raises ImportError: there is no bot class, or there are several without `BOT = Name`.
    """
    if "BOT" in vars(module):
        choice = vars(module)["BOT"]
        if isinstance(choice, type) and issubclass(choice, game_base):
            return choice
        raise ImportError(f"BOT is {show(choice)}, which does not extend {_class_name(game_base)}")
    classes = {id(value): value for value in vars(module).values() if isinstance(value, type)}
    local = [value for value in classes.values() if value.__module__ == module.__name__]
    bots = [value for value in local if issubclass(value, game_base) and value is not game_base]
    if len(bots) == 1:
        return bots[0]
    if bots:
        names = _join_names(value.__name__ + (_line_of(value) if len(bots) <= MAX_LISTED else "") for value in bots)
        raise ImportError(f"{len(bots)} bot classes: {names}; choose one with BOT = {bots[-1].__name__}")
    imported = sorted(
        value.__name__ for value in classes.values() if issubclass(value, game_base) and value is not game_base
    )
    if imported:
        raise ImportError(
            f"no bot class, only imported ones: {_join_names(imported)}; choose one with BOT = {imported[-1]}"
        )
    others = _join_names(value.__name__ for value in local if issubclass(value, base))
    hint = f" (bots for another game: {others})" if others else ""
    raise ImportError(f"no bot class: the file needs one class that extends {_class_name(game_base)}{hint}")


def overwritten_attribute(
    bot_class: type, bot: object, game_base: type, names: Iterable[str], message: str
) -> str | None:
    """Return the attribute of the base class that the bot has overwritten, if it explains a failure; else None.

    Args:
        bot: the bot, or None if it could not be instantiated.
        game_base: the game's base class, with the attributes `names`.
        message: the message of an AttributeError, a TypeError or a rejected answer.
    """
    mro = bot_class.__mro__
    attributes: dict[str, Any] = {}
    for part in (*reversed(mro[: mro.index(game_base)]), bot):
        attributes |= getattr(part, "__dict__", {})
    kinds = [f"choose_{kind}" for kind in game_base.kinds]  # type: ignore[attr-defined]
    for name in (name for name in (*names, *kinds) if name in attributes):
        if callable(attributes[name]) and name in (*OVERRIDABLE, *kinds):
            explains_failure = name == "act" and ("act() takes" in message or "'DecisionRequest' object" in message)
        else:
            pattern = {"encode": " returned ", "rng": "'Random' object is not "}.get(name, "object is not callable")
            explains_failure = f"'{name}'" in message or f"{name}()" in message or pattern in message
        if explains_failure:
            return name
    return None


def _line_of(bot_class: type) -> str:
    """Return " (line N)" for a class of the bot's file, or ""."""
    file = getattr(sys.modules.get(bot_class.__module__), "__file__", None)
    for number, line in enumerate(_files.get(file or "", b"").split(b"\n"), 1):
        tokens = line.replace(b"(", b" ").replace(b":", b" ").replace(b"[", b" ").split()
        if tokens[:2] == [b"class", bot_class.__name__.encode()]:
            return f" (line {number})"
    return ""


def _join_names(names: Iterable[str]) -> str:
    ordered = sorted(names)
    more = f" and {len(ordered) - MAX_LISTED} more" if len(ordered) > MAX_LISTED else ""
    return ", ".join(ordered[:MAX_LISTED]) + more


def _class_name(game_base: type) -> str:
    return f"{game_base.__module__.split('.')[1]}.{game_base.__name__}"


def show(value: Any) -> str:
    """Return a short `repr`, even if the object's own `repr` fails."""
    try:
        if type(value) is int and value.bit_length() > 200:
            return f"an int of {value.bit_length()} bits"
        text = repr(value)
    except BaseException as error:  # noqa: BLE001  (the bot's own code runs in its repr)
        return f"<{type(value).__name__} whose repr() raised {type(error).__name__}>"
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + " ..."

"""Give unprivileged processes access to folders in root's home, such as a checkout or a Python installation.

Such a process gets its own mount namespace, in which root's home has only the parts that the process needs.  It cannot
see anything else there, not even names.
"""

import ctypes
import importlib
import os
import pkgutil
import stat
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_NEW_MOUNTS: Final = 0x20000
_BIND, _RECURSIVE, _PRIVATE, _NO_SETUID, _NO_DEVICES = 0x1000, 0x4000, 0x40000, 0x2, 0x4
_IMPORTED_LATE: Final = ("encodings", "importlib.resources", "importlib.readers", "traceback", "linecache")
"""Modules that Python itself imports late."""


@dataclass(frozen=True, slots=True)
class View:
    """The folders that an unprivileged process sees."""

    closed: tuple[Path, ...] = ()  # folders that other users cannot enter, none inside another
    visible: tuple[Path, ...] = ()  # folders inside the closed ones that the process still sees

    def enter(self) -> None:
        """Give this process, as root, this view permanently, if it has closed folders.  Raises OSError."""
        if not self.closed:
            return
        _call("unshare", _NEW_MOUNTS)
        _mount(None, "/", None, _RECURSIVE | _PRIVATE)
        current_folder, mask = os.getcwd(), os.umask(0o022)
        opened = {folder: os.open(folder, os.O_PATH) for folder in self.visible}
        for folder in self.closed:
            _mount("tmpfs", str(folder), "tmpfs", _NO_SETUID | _NO_DEVICES, "mode=755,size=1m")
        for folder, descriptor in opened.items():
            folder.mkdir(parents=True, exist_ok=True)
            _mount(f"/proc/self/fd/{descriptor}", str(folder), None, _BIND | _RECURSIVE)
            os.close(descriptor)
        os.umask(mask)
        os.chdir(current_folder if os.path.isdir(current_folder) else "/")


OPEN_VIEW: Final = View()
"""The view without closed folders."""


def view_of(folders: Iterable[Path]) -> View:
    """Return the view in which every user can reach these folders."""
    paths = sorted({path for folder in folders for path in (folder.absolute(), folder.resolve())})
    closed = _outermost({parent for path in paths for parent in path.parents if not _is_open(parent)})
    return View(tuple(closed), tuple(_outermost({path for path in paths if any(_is_in(path, top) for top in closed)})))


def python_folders() -> list[Path]:
    """Return the folders of Python and of everything that it imports."""
    places = [sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable)), *sys.path]
    return [path for path in map(Path, filter(None, places)) if path.is_dir()]


def keep_python(packages: Iterable[str]) -> None:
    """Let this process import modules after dropping root privileges, wherever Python is installed.  Call it as root.

    If the kernel does not let root make mounts, immediately import modules that Python itself imports late, and all of
    `packages`.

    Raises OSError: the mounts failed for another reason.
    """
    view = view_of(python_folders())
    if not view.closed:
        return
    try:
        view.enter()
    except PermissionError:
        for name in (*_IMPORTED_LATE, *packages):
            _import_whole(name)


def _import_whole(name: str) -> None:
    """Import a module and its submodules, except `__main__` and modules whose optional library is not installed."""
    try:
        module = importlib.import_module(name)
    except ImportError:
        return
    for submodule in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
        if not submodule.name.endswith("__main__"):
            _import_whole(submodule.name)


def _outermost(folders: set[Path]) -> list[Path]:
    return sorted(folder for folder in folders if not any(_is_in(folder, other) for other in folders))


def _is_in(path: Path, folder: Path) -> bool:
    return path != folder and path.is_relative_to(folder)


def _is_open(folder: Path) -> bool:
    return bool(folder.stat().st_mode & stat.S_IXOTH)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    arguments = [None if text is None else os.fsencode(text) for text in (source, target, kind, data)]
    _call("mount", *arguments[:3], ctypes.c_ulong(flags), arguments[3])


def _call(name: str, *arguments: object) -> None:
    if getattr(_LIBC, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


_LIBC: Final = ctypes.CDLL(None, use_errno=True)

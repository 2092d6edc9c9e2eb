"""What processes without root can reach: a checkout, a Python or a data folder may lie in root's own home.

Such a process gets a mount namespace of its own, in which the closed folder holds nothing but
what the process needs.  Everything else in root's home stays out of its sight, also by name.
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
"""What Python itself imports in the middle of other work."""


@dataclass(frozen=True, slots=True)
class View:
    """What a process without root is shown.

    Attributes:
        closed: folders that others cannot pass through, none inside another.
        shown: folders below them that are there for it all the same.
    """

    closed: tuple[Path, ...] = ()
    shown: tuple[Path, ...] = ()

    def enter(self) -> None:
        """Have this process see things so for good; only root can.  If all is open, do nothing.  Raises OSError."""
        if not self.closed:
            return
        _call("unshare", _NEW_MOUNTS)
        _mount(None, "/", None, _RECURSIVE | _PRIVATE)
        here, mask = os.getcwd(), os.umask(0o022)
        opened = {folder: os.open(folder, os.O_PATH) for folder in self.shown}
        for folder in self.closed:
            _mount("tmpfs", str(folder), "tmpfs", _NO_SETUID | _NO_DEVICES, "mode=755,size=1m")
        for folder, descriptor in opened.items():
            folder.mkdir(parents=True, exist_ok=True)
            _mount(f"/proc/self/fd/{descriptor}", str(folder), None, _BIND | _RECURSIVE)
            os.close(descriptor)
        os.umask(mask)
        os.chdir(here if os.path.isdir(here) else "/")


OPEN: Final = View()
"""Where nothing is closed."""


def view_of(needed: Iterable[Path]) -> View:
    """Return the view in which everybody can get to these folders."""
    both = sorted({place for path in needed for place in (path.absolute(), path.resolve())})
    closed = _outermost({above for place in both for above in place.parents if not _open(above)})
    return View(tuple(closed), tuple(_outermost({path for path in both if any(_below(path, top) for top in closed)})))


def python_folders() -> list[Path]:
    """Return where Python and everything that it imports lie."""
    places = [sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable)), *sys.path]
    return [path for path in map(Path, filter(None, places)) if path.is_dir()]


def keep_python(packages: Iterable[str]) -> None:
    """See that this process can import after it has given root up, wherever its Python lies; call it as root.

    Where the kernel lets root make no mount, everything that may be needed is imported now.

    Args:
        packages: of ours, imported whole in that case.

    Raises OSError: the kernel refuses in another way.
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
    """Import a module and all below it, but for programs and for what lacks an optional library."""
    try:
        module = importlib.import_module(name)
    except ImportError:
        return
    for each in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
        if not each.name.endswith("__main__"):
            _import_whole(each.name)


def _outermost(folders: set[Path]) -> list[Path]:
    return sorted(folder for folder in folders if not any(_below(folder, other) for other in folders))


def _below(path: Path, folder: Path) -> bool:
    return path != folder and path.is_relative_to(folder)


def _open(folder: Path) -> bool:
    return bool(folder.stat().st_mode & stat.S_IXOTH)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind, data)]
    _call("mount", *words[:3], ctypes.c_ulong(flags), words[3])


def _call(name: str, *arguments: object) -> None:
    if getattr(_LIBC, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


_LIBC: Final = ctypes.CDLL(None, use_errno=True)

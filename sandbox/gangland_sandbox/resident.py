"""Keep in memory the files that jails map.

The first access to a page of a library has to read the page from the disk, and a bot can measure that.  So a bot could
access some pages, and a later process of the same bot could find out which ones.  To prevent that, all pages are
brought into memory before a match.  This process maps them too, so the kernel drops them last.
"""

import os
from collections.abc import Iterator
from functools import cache
from mmap import MAP_SHARED, PROT_READ
from pathlib import Path
from typing import Any, Final

try:
    import ctypes
except ImportError:  # Python was built without libffi
    ctypes = None  # type: ignore[assignment]

POPULATE_READ: Final = 22
"""MADV_POPULATE_READ of Linux 5.14: bring all pages into memory and map them."""
_MODULE_SUFFIXES: Final = frozenset({".py", ".pyc"})
"""Files that the zygote reads but does not map; all others may be programs or libraries."""

Region = tuple[int, int]
"""The address and size in bytes of a mapped file."""


class Resident:
    """The files of all added trees, kept in memory."""

    def __init__(self) -> None:
        self._trees: set[Path] = set()
        self._maps: list[Region] = []

    def add(self, tree: Path) -> None:
        """Bring a tree's files into memory, now and at every `hold`."""
        if tree not in self._trees:
            self._trees.add(tree)
            if ctypes is None:  # read them once, without holding them
                for file in _files_to_map(tree):
                    file.read_bytes()
                return
            added = [_map(file) for file in _files_to_map(tree)]
            self._maps += added
            _hold(added)

    def hold(self) -> None:
        """Bring all files back into memory, in case the kernel has dropped pages."""
        _hold(self._maps)

    def close(self) -> None:
        """Unmap all files."""
        for at, size in self._maps:
            _libc().munmap(at, size)
        self._maps.clear()
        self._trees.clear()

    @property
    def size(self) -> int:
        """The total size in bytes."""
        return sum(size for _, size in self._maps)


def _files_to_map(tree: Path) -> Iterator[Path]:
    for path in sorted(tree.rglob("*")):
        if path.suffix not in _MODULE_SUFFIXES and path.is_file() and path.stat().st_size:
            yield path


def _map(file: Path) -> Region:
    """Map a file; unlike the `mmap` module, do not keep it open.  Raises OSError: the kernel refuses."""
    with file.open("rb") as opened:
        size = os.fstat(opened.fileno()).st_size
        at = _libc().mmap(None, size, PROT_READ, MAP_SHARED, opened.fileno(), 0)
    if at in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), f"cannot map {file}")
    return at, size


def _hold(maps: list[Region]) -> None:
    for at, size in maps:
        if _libc().madvise(at, size, POPULATE_READ):  # an older kernel: reading the file has the same effect
            ctypes.string_at(at, size)


@cache
def _libc() -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *(ctypes.c_int,) * 3, ctypes.c_long)
    libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    return libc

"""What jails map of files, kept in memory.

A page of a library that was never read has to be fetched when it is first touched, and a bot can
feel that: it could touch some, and a later process of its own find out which.  So all of it is in
memory before a match, and mapped here besides, which makes it the last that the kernel gives up.
"""

import os
from collections.abc import Iterator
from functools import cache
from mmap import MAP_SHARED, PROT_READ
from pathlib import Path
from typing import Any, Final

try:
    import ctypes
except ImportError:  # a Python that was built without libffi
    ctypes = None  # type: ignore[assignment]

POPULATE_READ: Final = 22
"""MADV_POPULATE_READ of Linux 5.14: have all pages in memory and mapped."""
_READ_AS_MODULES: Final = frozenset({".py", ".pyc"})
"""What the zygote reads and maps no part of; everything else may be a program or a library."""

Region = tuple[int, int]
"""Where a file is mapped, and its size in bytes."""


class Resident:
    """The files of some trees; those that were ever added."""

    def __init__(self) -> None:
        self._trees: set[Path] = set()
        self._maps: list[Region] = []

    def add(self, tree: Path) -> None:
        """Have a tree's files in memory, now and whenever they are held."""
        if tree not in self._trees:
            self._trees.add(tree)
            if ctypes is None:  # then they are read once, and not held
                for file in _mapped(tree):
                    file.read_bytes()
                return
            added = [_map(file) for file in _mapped(tree)]
            self._maps += added
            _hold(added)

    def hold(self) -> None:
        """Have everything in memory again, should the kernel have given some up."""
        _hold(self._maps)

    def close(self) -> None:
        """Let go of everything."""
        for at, size in self._maps:
            _libc().munmap(at, size)
        self._maps.clear()
        self._trees.clear()

    @property
    def size(self) -> int:
        """How many bytes that are."""
        return sum(size for _, size in self._maps)


def _mapped(tree: Path) -> Iterator[Path]:
    for path in sorted(tree.rglob("*")):
        if path.suffix not in _READ_AS_MODULES and path.is_file() and path.stat().st_size:
            yield path


def _map(file: Path) -> Region:
    """Map a file; the `mmap` module would keep it open besides.  Raises OSError: the kernel refuses."""
    with file.open("rb") as opened:
        size = os.fstat(opened.fileno()).st_size
        at = _libc().mmap(None, size, PROT_READ, MAP_SHARED, opened.fileno(), 0)
    if at in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), f"cannot map {file}")
    return at, size


def _hold(maps: list[Region]) -> None:
    for at, size in maps:
        if _libc().madvise(at, size, POPULATE_READ):  # an older kernel: reading it does it too
            ctypes.string_at(at, size)


@cache
def _libc() -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *(ctypes.c_int,) * 3, ctypes.c_long)
    libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    return libc

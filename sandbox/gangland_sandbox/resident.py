"""What jails map of files, kept in memory.

A page of a library that was never read has to be fetched when it is first touched, and a bot can
feel that: it could touch some, and a later process of its own find out which.  So all of it is in
memory before a match, and mapped here besides, which makes it the last that the kernel gives up.
"""

from __future__ import annotations

from collections.abc import Iterator
from mmap import MAP_SHARED, PAGESIZE, PROT_READ, mmap
from pathlib import Path
from typing import Final

POPULATE_READ: Final = 22
"""MADV_POPULATE_READ of Linux 5.14: have all pages in memory and mapped."""
_READ_AS_MODULES: Final = frozenset({".py", ".pyc"})
"""What the zygote reads and maps no part of; everything else may be a program or a library."""


class Resident:
    """The files of some trees; those that were ever added."""

    def __init__(self) -> None:
        self._trees: set[Path] = set()
        self._maps: list[mmap] = []

    def add(self, tree: Path) -> None:
        """Have a tree's files in memory, now and whenever they are held."""
        if tree not in self._trees:
            self._trees.add(tree)
            added = [_map(file) for file in _mapped(tree)]
            self._maps += added
            _hold(added)

    def hold(self) -> None:
        """Have everything in memory again, should the kernel have given some up."""
        _hold(self._maps)

    def close(self) -> None:
        """Let go of everything."""
        for one in self._maps:
            one.close()
        self._maps.clear()
        self._trees.clear()

    @property
    def size(self) -> int:
        """How many bytes that are."""
        return sum(map(len, self._maps))


def _mapped(tree: Path) -> Iterator[Path]:
    for path in sorted(tree.rglob("*")):
        if path.suffix not in _READ_AS_MODULES and path.is_file() and path.stat().st_size:
            yield path


def _map(file: Path) -> mmap:
    with file.open("rb") as opened:
        return mmap(opened.fileno(), 0, flags=MAP_SHARED, prot=PROT_READ)


def _hold(maps: list[mmap]) -> None:
    for one in maps:
        try:
            one.madvise(POPULATE_READ)
        except OSError:  # an older kernel: a touch of each page does it too
            one[::PAGESIZE]

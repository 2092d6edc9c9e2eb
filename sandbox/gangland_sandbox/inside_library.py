"""The modules of a jail, kept in memory: a bot's process opens no file, and looks up no name of one.

What a process looks up, the kernel remembers for all: which files are in its cache, and even which
names there are none of.  So a bot could tell a later process of its own which dice are to come.  The
zygote therefore loads every extension module, keeps the code of all others, and the filter for bots
allows no call that takes a path.
"""

from __future__ import annotations

import marshal
import os
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec
from itertools import accumulate
from mmap import MAP_POPULATE, MAP_PRIVATE, PROT_READ, mmap
from types import ModuleType
from typing import Any, Final

MODULES: Final = "modules.bin"
"""In each tree of a jail, the code of its modules; see `pack`."""

_SIZE_BYTES: Final = 4
_Kept = tuple[bool, str, memoryview]


def pack(modules: Mapping[str, tuple[bool, str, bytes]]) -> bytes:
    """Return the file of a tree's modules: the size of its index, the index, and the compressed code of each module.

    Args:
        modules: by dotted name, whether it is a package, where it is said to lie, and its marshalled code.
    """
    packed = {name: zlib.compress(code) for name, (_, _, code) in modules.items()}
    ends = accumulate(map(len, packed.values()))
    index = {name: (*modules[name][:2], end - len(packed[name]), end) for name, end in zip(packed, ends, strict=True)}
    head = marshal.dumps(index)
    return len(head).to_bytes(_SIZE_BYTES, "big") + head + b"".join(packed.values())


def _unpack(file: str) -> dict[str, _Kept]:
    """Return what is in such a file.  It is mapped, all pages at once, for what is read is paid for by every start."""
    with open(file, "rb") as packed:
        whole = memoryview(mmap(packed.fileno(), 0, flags=MAP_PRIVATE | MAP_POPULATE, prot=PROT_READ))
    start = _SIZE_BYTES + int.from_bytes(whole[:_SIZE_BYTES], "big")
    index, code = marshal.loads(whole[_SIZE_BYTES:start]), whole[start:]
    return {name: (is_package, shown, code[at:end]) for name, (is_package, shown, at, end) in index.items()}


class Library:
    """Finds and loads modules whose code is in memory, for `sys.meta_path`."""

    def __init__(self, kept: dict[str, _Kept]) -> None:
        self._kept = kept

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """Return the spec of a module that is here."""
        found = self._kept.get(name)
        if found is None:
            return None
        is_package, file, _ = found
        spec = ModuleSpec(name, self, origin=file, is_package=is_package)  # type: ignore[arg-type]
        spec.has_location = True
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(file.rpartition("/")[0])
        return spec

    def create_module(self, _spec: ModuleSpec) -> ModuleType | None:
        """Leave the making of the module to Python."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        exec(self.get_code(module.__name__), module.__dict__)  # noqa: S102  (the standard library's own code)

    def get_code(self, name: str) -> Any:
        """Return the code of a module."""
        return marshal.loads(zlib.decompress(self._kept[name][2]))

    def get_source(self, _name: str) -> None:
        """Return nothing: there are no sources here."""


def leave_the_disk(trees: Iterable[str], extensions: Iterable[str]) -> None:
    """Load all that is to be loaded from the disk, and have no module looked for there from now on.

    Args:
        trees: folders whose modules are kept; extensions: folders whose extension modules are loaded.
    """
    kept: dict[str, _Kept] = {}
    for tree in trees:
        kept |= _unpack(os.path.join(tree, MODULES))
    sys.meta_path[:] = [BuiltinImporter, FrozenImporter, Library(kept), *sys.meta_path[-1:]]
    for name in _extensions(extensions):
        with suppress(ImportError):  # one that this machine lacks something for
            import_module(name)
    del sys.meta_path[-1]
    sys.path_importer_cache.clear()


def _extensions(folders: Iterable[str]) -> Iterator[str]:
    for top in folders:
        for folder, _, files in os.walk(top):
            package = os.path.relpath(folder, top).replace("/", ".")
            for file in files:
                if file.endswith(".so"):
                    stem = file.partition(".")[0]
                    yield stem if package == "." else f"{package}.{stem}"

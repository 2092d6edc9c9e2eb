"""Keep the modules of a jail in memory, so that a bot's process opens no files and looks up no file names.

The kernel caches all lookups for all processes, even of names that do not exist.  With these lookups, a bot could tell
a later process of the same bot which dice it will get.  Therefore the zygote loads every extension module and the code
of all other modules, and the filter for bots allows no system call that takes a path.
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
"""The file with the code of the modules in each tree of a jail; see `pack`."""

_SIZE_BYTES: Final = 4
_Module = tuple[bool, str, memoryview]
"""A module: whether it is a package, its file name in tracebacks, and its compressed code."""


def pack(modules: Mapping[str, tuple[bool, str, bytes]]) -> bytes:
    """Return the content of `MODULES` for a tree: the size of the index, the index, and each module's compressed code.

    Args:
        modules: by dotted name: whether it is a package, its file name in tracebacks, and its marshaled code.
    """
    packed = {name: zlib.compress(code) for name, (_, _, code) in modules.items()}
    ends = accumulate(map(len, packed.values()))
    index = {name: (*modules[name][:2], end - len(packed[name]), end) for name, end in zip(packed, ends, strict=True)}
    head = marshal.dumps(index)
    return len(head).to_bytes(_SIZE_BYTES, "big") + head + b"".join(packed.values())


def _unpack(file: str) -> dict[str, _Module]:
    # All pages are mapped in one call, because reading them would slow down every start of a jail.
    with open(file, "rb") as packed:
        content = memoryview(mmap(packed.fileno(), 0, flags=MAP_PRIVATE | MAP_POPULATE, prot=PROT_READ))
    start = _SIZE_BYTES + int.from_bytes(content[:_SIZE_BYTES], "big")
    index, code = marshal.loads(content[_SIZE_BYTES:start]), content[start:]
    return {name: (is_package, filename, code[at:end]) for name, (is_package, filename, at, end) in index.items()}


class Library:
    """Finds and loads modules in memory, for `sys.meta_path`."""

    def __init__(self, modules: dict[str, _Module]) -> None:
        self._modules = modules

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """Return the spec of a module, or None if it is not in memory."""
        module = self._modules.get(name)
        if module is None:
            return None
        is_package, file, _ = module
        spec = ModuleSpec(name, self, origin=file, is_package=is_package)  # type: ignore[arg-type]
        spec.has_location = True
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(file.rpartition("/")[0])
        return spec

    def create_module(self, _spec: ModuleSpec) -> ModuleType | None:
        """Let Python create the module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        exec(self.get_code(module.__name__), module.__dict__)  # noqa: S102  (code that the jail's trees were built with)

    def get_code(self, name: str) -> Any:
        """Return the code of a module."""
        return marshal.loads(zlib.decompress(self._modules[name][2]))

    def get_source(self, _name: str) -> None:
        """Return None, because the library has no sources."""


def load_all_modules(trees: Iterable[str], extensions: Iterable[str]) -> None:
    """Keep the trees' modules in memory and import all extension modules, so later imports read no files."""
    modules: dict[str, _Module] = {}
    for tree in trees:
        modules |= _unpack(os.path.join(tree, MODULES))
    sys.meta_path[:] = [BuiltinImporter, FrozenImporter, Library(modules), *sys.meta_path[-1:]]
    for name in _extensions(extensions):
        with suppress(ImportError):  # this machine lacks something that it needs
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

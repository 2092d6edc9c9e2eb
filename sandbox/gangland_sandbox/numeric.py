"""Build the tree of numeric jails: the installed numpy, without parts that bots cannot use."""

import importlib.util
import os
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from gangland_sandbox import treebuild
from gangland_sandbox.errors import SandboxError

MODULES: Final = ("numpy", "numpy.fft", "numpy.linalg", "numpy.random")
"""The modules that a zygote imports for all bots; bots import other modules themselves."""
LIBRARIES: Final = "lib"
ONE_THREAD: Final = dict.fromkeys(
    ("BLIS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"
)
"""Environment of numpy's libraries: they start no threads, because the jail refuses threads."""

_LEFT_OUT: Final = frozenset(
    "__pycache__ _examples _pyinstaller conftest.py ctypeslib distutils doc f2py include testing tests".split()
)
_FOR_TESTS: Final = re.compile(r"(_\w*_tests|_simd)\.")


def build(root: Path) -> None:
    """Write a folder with numpy, and the libraries that it needs in addition to Python's."""
    package, extensions = _package(), []
    for file in _files(package):
        if file.suffix == ".py":
            treebuild.compile_tree([file], package, root / "numpy", f"/{treebuild.NUMERIC_MOUNT}/numpy")
        else:
            treebuild.copy_file(file, root / "numpy" / file.relative_to(package))
            extensions.append(file)
    treebuild.write_modules(root, f"/{treebuild.NUMERIC_MOUNT}")
    python_libraries = {library.name for library in treebuild.shared_libraries(treebuild.python_binaries())}
    (root / LIBRARIES).mkdir()
    for library in treebuild.shared_libraries(extensions):
        if library.name not in python_libraries:
            treebuild.copy_file(library, root / LIBRARIES / library.name, 0o755)


def digest() -> str:
    """Return the digest in this tree's name: of the interpreter, this module, and numpy's file sizes and times."""
    facts = [f"{file} {treebuild.stamp(file)}" for file in _files(_package())]
    facts += [treebuild.python_hash(), sha256(Path(__file__).read_bytes()).hexdigest()]
    return sha256("\n".join(facts).encode()).hexdigest()[:16]


def _package() -> Path:
    """Return numpy's folder.  Raises SandboxError: it is not installed, or this process cannot read it."""
    spec = importlib.util.find_spec("numpy")
    if spec is None or not spec.submodule_search_locations:
        raise SandboxError(
            "the numeric profile needs numpy next to gangland (`pip install 'numpy>=2.4'`), "
            "and a restart of the worker or command; bots with the plain profile play without it"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _files(package: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(package, onerror=_raise_unreadable):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
        for name in sorted(files):
            if name.endswith((".py", ".so")) and name not in _LEFT_OUT and not _FOR_TESTS.match(name):
                yield Path(folder) / name


def _raise_unreadable(failure: OSError) -> None:
    raise failure

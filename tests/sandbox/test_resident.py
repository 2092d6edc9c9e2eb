"""Whether a page of a library is in memory tells a bot nothing: all of them are."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.sandbox.trial import apart

from gangland_sandbox import resident
from gangland_sandbox.pool import Pool
from gangland_sandbox.runtime import prepare

COUNT = """
import ctypes, mmap, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
file = open(sys.argv[1], "rb")
size = len(file.read(0)) or __import__("os").fstat(file.fileno()).st_size
at = libc.mmap(None, ctypes.c_size_t(size), 1, 1, file.fileno(), ctypes.c_long(0))
pages = -(-size // mmap.PAGESIZE)
vector = (ctypes.c_ubyte * pages)()
assert libc.mincore(ctypes.c_void_p(at), ctypes.c_size_t(size), vector) == 0
print(pages, sum(one & 1 for one in vector))
"""


def in_memory(file: Path) -> tuple[int, int]:
    counted = subprocess.run([sys.executable, "-c", COUNT, str(file)], capture_output=True, text=True, check=True)
    pages, there = map(int, counted.stdout.split())
    return pages, there


def cold(file: Path, size: int) -> None:
    file.write_bytes(os.urandom(size))
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


@pytest.mark.parametrize("advice", [resident.POPULATE_READ, 9999])
def test_all_pages_of_a_trees_libraries_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, advice: int) -> None:
    monkeypatch.setattr(resident, "POPULATE_READ", advice)  # a number that no kernel knows stands for an older one
    for name, size in (("lib/a.so", 3_000_001), ("program", 70_000), ("lib/b.so.1", 1)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        cold(tmp_path / name, size)
    (tmp_path / "module.py").write_text("x = 1")
    (tmp_path / "empty.so").touch()
    kept = resident.Resident()
    kept.add(tmp_path)
    assert kept.size == 3_070_002
    for name in ("lib/a.so", "program", "lib/b.so.1"):
        pages, there = in_memory(tmp_path / name)
        assert pages == there


def test_a_match_has_all_of_its_jails_files_in_memory() -> None:
    runtime = prepare()
    assert runtime.python is not None
    libraries = [
        file for tree in (runtime.python, runtime.app) for file in sorted(tree.rglob("*.so*")) if file.is_file()
    ]

    def hold() -> int:
        with Pool() as pool, pool.match():
            pool.fill(1)
            return pool._resident.size

    assert apart(hold) > 1_000_000
    assert len(libraries) > 10
    for file in libraries:
        pages, there = in_memory(file)
        assert pages == there

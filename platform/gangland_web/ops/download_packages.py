"""Fetches all packages of the base install, so that a school's network needs no internet to install it.

For each Python that we support and this kind of machine; what the lock names, by its hashes.
"""

from __future__ import annotations

import hashlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from gangland_web.queries.exports import FETCHED, FOLDER, lock_text

PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
DONE: Final = "fetched"
"""The file that says for which lock all is there."""
_GLIBC: Final = ("2_17", "2_28", "2_34")
FROM_SOURCE: Final = "trueskill"
"""Comes as source alone: built here once, the same wheel for every Python."""


class FetchFailed(RuntimeError):
    """The packages cannot be fetched; the message says why."""


def fetch(data: Path, say: Callable[[str], object]) -> None:
    """Fill the download folder of a data folder, unless it has all already.

    Raises:
        FetchFailed: there is no pip, no network, or no package for this very Python.
    """
    lock, folder = lock_text(), data / FETCHED
    mark = hashlib.sha256(lock.encode()).hexdigest()
    if (folder / DONE).is_file() and (folder / DONE).read_text(encoding="utf-8") == mark:
        return
    if find_spec("pip") is None:
        raise FetchFailed("--with-wheels needs pip in this environment: python -m ensurepip")
    say("fetching all packages of the base install (about 70 MB), to be served at /download")
    with tempfile.TemporaryDirectory() as place:
        draft = Path(place)
        _fetch_all(draft, lock, say)
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
        for wheel in draft.glob("*.whl"):
            shutil.copyfile(wheel, folder / wheel.name)
            (folder / wheel.name).chmod(0o644)
    if not any(FOLDER.glob("gangland-*.whl")):
        say("this site has no wheel of its own to serve: `make up` builds it, and /download says how to get one")
    (folder / DONE).write_text(mark, encoding="utf-8")


def _fetch_all(draft: Path, lock: str, say: Callable[[str], object]) -> None:
    blocks = re.split(r"\n(?=[a-z0-9])", lock)[1:]
    source = [block for block in blocks if block.startswith(f"{FROM_SOURCE}==")]
    (draft / "wheels.txt").write_text("\n".join(block for block in blocks if block not in source) + "\n")
    (draft / "source.txt").write_text("\n".join(source) + "\n")
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    machine = platform.machine()
    kinds = [word for glibc in _GLIBC for word in ("--platform", f"manylinux_{glibc}_{machine}")]
    kinds += ["--platform", f"manylinux2014_{machine}"]
    for version in dict.fromkeys((here, *PYTHONS)):
        wanted = ["--only-binary", ":all:", "--python-version", version, *kinds]
        failed = _pip("download", draft, *wanted, "-r", str(draft / "wheels.txt"))
        if failed and version == here:
            raise FetchFailed(f"the packages cannot be fetched: {failed}")
        if failed:
            say(f"no packages for Python {version}: {failed}")
    if failed := _pip("wheel", draft, "-r", str(draft / "source.txt")):
        raise FetchFailed(f"{FROM_SOURCE} cannot be built: {failed}")


def _pip(command: str, draft: Path, *arguments: str) -> str:
    """Run pip; return the last line of what went wrong, nothing if all went well."""
    where = "--dest" if command == "download" else "--wheel-dir"
    common = ["--disable-pip-version-check", "--quiet", "--no-deps", "--require-hashes", where, str(draft)]
    done = subprocess.run(
        [sys.executable, "-m", "pip", command, *common, *arguments], capture_output=True, text=True, check=False
    )
    errors = [line for line in done.stderr.strip().splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()
    return "" if done.returncode == 0 else (errors or [f"pip ended with {done.returncode}"])[-1][:300]

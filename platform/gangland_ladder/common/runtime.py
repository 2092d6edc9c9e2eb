"""Process-wide helpers of the commands and workers: exit codes, Ctrl-C, optional extras, and the release string."""

import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib import import_module, metadata
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NoReturn

from gangland import __version__
from gangland.games import GAME_NAMES, package_of

# Exit codes that all commands use.


FINDINGS, USAGE, SERVER, NOT_SIGNED_IN, INTERRUPTED = 1, 2, 3, 4, 130

MEANINGS = {
    0: "success",
    FINDINGS: "findings: a bot at fault in `play` or `check`, a failed check, an invalid record",
    USAGE: "invalid command or settings, or not supported on this machine",
    SERVER: "network or server failed",
    NOT_SIGNED_IN: "no valid token",
    INTERRUPTED: "interrupted by Ctrl-C; results so far are printed",
}


# Context managers: a readable error if a file cannot be written, and a delayed Ctrl-C.


@contextmanager
def writing(file: Path, failure: type[Exception]) -> Iterator[None]:
    """Raise `failure`, with a message for users, if the file cannot be written."""
    try:
        yield
    except OSError as error:
        raise failure(f"cannot write {file}: {error.strerror}") from error


@contextmanager
def held() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block, so that no result is only half counted; then raise KeyboardInterrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before if before is not None else signal.default_int_handler)
    if pressed:
        raise KeyboardInterrupt


# numpy's thread count.


def calculate_on_one_thread() -> None:
    """Limit numpy's math library to one thread, unless the environment sets a number; call before importing numpy."""
    # Our matrices are small: more threads are not faster; they mostly burn CPU time waiting.
    for name in ("BLIS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")


# Optional extras: checking whether they are installed, and running the site as a separate program.


class ExtraMissing(ImportError):
    """A library that belongs to an extra, such as `gangland[research]`, is not installed."""


def needed(*modules: str) -> None:
    """Raise ExtraMissing, with the command that installs the extra, if one of these modules cannot be imported."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise ExtraMissing(
            f"{' and '.join(missing)} is missing: pip install 'gangland[research]'",
            name=missing[0],
        )


def run_site(module: str, arguments: Sequence[str]) -> NoReturn:
    """Replace this process with one of the site's programs, which this package does not import. Raises ExtraMissing."""
    missing = [name for name in _required_by("site") if not list(metadata.distributions(name=name))]
    if missing:
        raise ExtraMissing(f"{', '.join(missing)} is missing: pip install 'gangland[site]'")
    os.execv(sys.executable, [sys.executable, "-m", module, *arguments])


def _required_by(extra: str) -> list[str]:
    requirements = [each.partition(";") for each in metadata.requires("gangland") or ()]
    wanted = re.compile(rf"\s*extra\s*==\s*[\"']{extra}[\"']\s*")
    return [re.split(r"[^\w.-]", name.strip())[0] for name, _, marker in requirements if wanted.fullmatch(marker)]


# Finding a package's submodule for a game; it has the same name as the game's package.


def module_of(package: str, game: str) -> ModuleType | None:
    """Return a package's submodule for a game, or None."""
    return _module_of(package, game) if game in GAME_NAMES else None  # unknown names must not fill the cache


@cache
def _module_of(package: str, game: str) -> ModuleType | None:
    name = f"{package}.{package_of(game)}"
    return None if find_spec(name) is None else import_module(name)


# The release: everything that decides the results of a match. That is the rules, jail, referee, check, and Python.


# All packages that take part in playing a match; `gangland_web` only transports jobs and results.
PACKAGES: Final = ("gangland", "gangland_sandbox", "gangland_ladder")
DIGITS: Final = 12
_PYTHON: Final = ".py"


@cache
def this_release() -> str:
    """Return the version, a digest of the match code, and the Python version, such as `0.1.0+5f0c2a9b81d3.py3.11`."""
    # A site and its match workers must have the same release, because different releases may play the same match
    # differently.
    digest = sha256()
    for name in PACKAGES:
        _add(digest, files(name), name)
    return f"{__version__}+{digest.hexdigest()[:DIGITS]}{_PYTHON}{this_python()}"


def this_python() -> str:
    """Return the minor version of Python that bots run on here, such as `3.11`; a jail has a copy of this Python."""
    # A bot may decide differently on another version: for example, `sum` rounds floats less since 3.12.
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def other_python(recorded: str | None, place: str = "here") -> str:
    """Return a warning for a match recorded on another version of Python; "" if the version is the same."""
    if recorded is None:
        return f"the record does not say which Python it was made on; {place} bots run on Python {this_python()}"
    if recorded == this_python():
        return ""
    return (
        f"it was recorded on Python {recorded}, and {place} bots run on Python {this_python()} "
        "and may decide differently"
    )


def refusal(theirs: str) -> str:
    """Return a message that explains why a worker rejects a site on a different release, and how to fix it."""
    code, _, python = theirs.partition(_PYTHON)
    if python and this_release().partition(_PYTHON)[0] == code:
        return (
            f"bots run on Python {this_python()} here and on Python {python} at the site, and may decide differently: "
            f"start this worker on Python {python}"
        )
    return (
        f"this worker is {this_release()}, and the site is {theirs or 'on an unknown release'}: "
        "install the site's release and restart the worker"
    )


def _add(digest: Any, folder: Traversable, path: str) -> None:
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir() and entry.name != "__pycache__":
            _add(digest, entry, f"{path}/{entry.name}")
        elif entry.name.endswith(".py"):
            digest.update(f"{path}/{entry.name}\0".encode() + sha256(entry.read_bytes()).digest())

"""Build the files of the jail once, and check them once per process."""

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gangland_sandbox import numeric, treebuild
from gangland_sandbox.errors import SandboxError

SYSTEM_FOLDER: Final = Path("/var/lib/gangland")


@dataclass(frozen=True, slots=True)
class Runtime:
    """The two folders of every jail; numeric jails have a third one (see `prepare_numeric`)."""

    python: Path | None  # the jail's root, with only a trimmed Python; None if only trusted bots are played
    app: Path  # the engine and the harness, mounted into it


_prepared: dict[bool, Runtime] = {}
_numeric: list[Path] = []


def prepare(*, trusted: bool = False) -> Runtime:
    """Return the runtime, cached for the process and its forks; build it if it does not exist.

    Call it before root privileges are dropped, because the sources may be inaccessible later.

    Args:
        trusted: only the engine and the harness, without Python.

    Raises SandboxError: it cannot be built, or the existing one cannot be trusted.
    """
    if True in _prepared and trusted:
        return _prepared[True]
    if False in _prepared:
        return _prepared[False]
    python = None if trusted else _tree(f"python-{treebuild.python_hash()}", treebuild.build_python)
    app = _tree(f"runtime-{treebuild.app_hash()}", treebuild.build_app)
    if python is not None and os.geteuid() == 0:
        check_reach(app)
    _prepared[trusted] = Runtime(python, app)
    return _prepared[trusted]


def prepare_numeric() -> Path:
    """Return the third folder of numeric jails; build it if it does not exist.

    Like `prepare`, call it before root privileges are dropped, if numeric bots will be played.

    Raises SandboxError: numpy is not installed, or the folder cannot be built or trusted.
    """
    if not _numeric:
        try:
            name = f"numeric-{numeric.digest()}"
        except OSError as error:
            raise SandboxError(f"numpy is no longer readable; prepare the numeric profile earlier: {error}") from error
        tree = _tree(name, numeric.build)
        if os.geteuid() == 0:
            check_reach(tree)
        _numeric.append(tree)
    return _numeric[0]


def clear_cache() -> None:
    """Clear the cached runtimes."""
    _prepared.clear()
    _numeric.clear()


def home() -> Path:
    """Return the folder of runtimes: `GANGLAND_RUNTIME_DIR`, or `SYSTEM_FOLDER` for root, or one in the user data."""
    if folder := os.environ.get("GANGLAND_RUNTIME_DIR"):
        return Path(folder)
    if os.geteuid() == 0:
        return SYSTEM_FOLDER
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "gangland"


def _tree(name: str, build: Callable[[Path], None]) -> Path:
    for folder in dict.fromkeys((home(), SYSTEM_FOLDER)):
        tree = folder / name
        if tree.is_dir():
            verify(tree)
            return tree
    try:
        return _build(home(), name, build)
    except OSError as error:
        raise SandboxError(f"cannot build the jail's runtime in {home()}: {error}") from error


def _build(folder: Path, name: str, build: Callable[[Path], None]) -> Path:
    """Build a tree in a temporary folder and rename it; a second process waits and uses the same tree."""
    tree = folder / name
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    with open(folder / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not tree.is_dir():
            draft = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=folder))
            mask = os.umask(0o022)
            try:
                build(draft)
                draft.chmod(0o755)
                draft.rename(tree)
            finally:
                os.umask(mask)
                shutil.rmtree(draft, ignore_errors=True)
    verify(tree)
    return tree


def check_reach(tree: Path) -> None:
    """Check that users other than root can reach a tree.  Raises SandboxError: it or a folder above it is closed."""
    for folder in (tree, *tree.resolve().parents):
        if not folder.stat().st_mode & stat.S_IXOTH:
            raise SandboxError(f"the jail's runtime can only be read by root: other users cannot enter {folder}")


def verify(tree: Path) -> None:
    """Check that only root and this user can write or replace a tree.  Raises SandboxError: others can."""
    owners = {0, os.geteuid()}
    for folder in (tree, *tree.resolve().parents):
        _check(folder, owners, sticky=True)
    for folder_name, folders, files in os.walk(tree, onerror=_raise_unreadable):
        for name in folders + files:
            _check(Path(folder_name) / name, owners, sticky=False)


def _check(path: Path, owners: set[int], *, sticky: bool) -> None:
    status = path.lstat()
    shared = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if shared and sticky and status.st_mode & stat.S_ISVTX:
        shared = 0
    if status.st_uid not in owners or shared or not (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)):
        raise SandboxError(
            f"the jail's runtime cannot be trusted: {path} belongs to user {status.st_uid} "
            f"with mode {stat.S_IMODE(status.st_mode):o}; remove it to have it rebuilt"
        )


def _raise_unreadable(failure: OSError) -> None:
    raise SandboxError(f"the jail's runtime cannot be read: {failure}") from failure

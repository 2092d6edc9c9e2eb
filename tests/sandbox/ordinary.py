"""A user who never was root: the second way in which a match is played."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.sandbox import leftovers, trial

from gangland_sandbox import privileges, runtime

ORDINARY_ID = 10002  # in no passwd


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Play as a user who was never root, with a copy of the runtime in that user's folder."""
    found = runtime.prepare()
    home = Path(tempfile.mkdtemp(prefix=leftovers.OF_THE_TESTS))
    data = home / "data" / "gangland"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_DATA_HOME", str(home / "data"))
        if os.geteuid() == 0:
            os.chown(home, ORDINARY_ID, ORDINARY_ID)
            patch.setattr(privileges, "drop", lambda: become(ORDINARY_ID))
        own = trial.apart(lambda: copy_of(found, data))
        patch.setattr(runtime, "_prepared", {False: runtime.Runtime(Path(own[0]), Path(own[1]))})
        try:
            yield
        finally:
            shutil.rmtree(home)


def become(user: int) -> None:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def copy_of(found: runtime.Runtime, data: Path) -> tuple[str, str]:
    assert found.python is not None
    assert privileges.is_root() is False
    for tree in (found.python, found.app):
        shutil.copytree(tree, data / tree.name, symlinks=True)
        runtime.verify(data / tree.name)
    return str(data / found.python.name), str(data / found.app.name)

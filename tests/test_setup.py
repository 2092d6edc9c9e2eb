"""`make venv PYTHON=...` uses the Python that was named, or says why it cannot."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FAKE = """#!/bin/sh
case "$*" in
*65534*) exit {unreachable} ;;
*version_info*) exit {too_old} ;;
--version) echo "Python {name}" ;;
*_base_executable*) echo "{name}" ;;
*realpath*) echo "$0" ;;
*"-m venv .venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
*" -e ."*) touch .venv/bin/gangland && chmod 755 .venv/bin/gangland ;;
esac
"""


class Checkout:
    """A folder with `scripts/setup`, in which Pythons are scripts that print their version."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder = folder
        for name in ("scripts", "requirements", "bin"):
            (folder / name).mkdir()
        shutil.copy(root / "scripts" / "setup", folder / "scripts")
        for name in ("pyproject.toml", "requirements/build.txt", "requirements/dev.txt"):
            (folder / name).touch()

    def python(self, name: str, *, too_old: int = 0, unreachable: int = 0) -> str:
        script = self.folder / "bin" / name
        script.write_text(FAKE.format(name=name, too_old=too_old, unreachable=unreachable), encoding="utf-8")
        script.chmod(0o755)
        return str(script)

    def setup(self, python: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.folder / "scripts" / "setup"), "venv"],
            env={"PATH": "/usr/bin:/bin", "PYTHON": python},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def built_with(self) -> str:
        asked = [str(self.folder / ".venv" / "bin" / "python"), "-c", "sys._base_executable"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def checkout(root: Path, tmp_path: Path) -> Checkout:
    return Checkout(tmp_path, root)


def test_the_named_python_is_used_and_another_one_replaces_the_environment(checkout: Checkout) -> None:
    for name in ("first", "second", "first"):
        done = checkout.setup(checkout.python(name))
        assert done.returncode == 0, done.stderr
        assert checkout.built_with == name
    kept = checkout.folder / ".venv" / "kept"
    kept.touch()
    assert checkout.setup(checkout.python("first")).returncode == 0
    assert kept.exists(), "an environment of the named Python was built again"


def test_a_named_python_that_is_missing_or_too_old_ends_the_command(checkout: Checkout) -> None:
    missing = checkout.setup("/nowhere/python3")
    too_old = checkout.setup(checkout.python("old", too_old=1))
    assert (missing.returncode, too_old.returncode) == (1, 1)
    assert "there is no such program" in missing.stderr
    assert "Python 3.11 or newer is needed, and this is Python old" in too_old.stderr
    assert not (checkout.folder / ".venv").exists()


def test_root_is_told_what_to_do_about_a_python_that_others_cannot_run(checkout: Checkout) -> None:
    """Root's workers switch to another user; other users run them as themselves."""
    script = checkout.python("roots", unreachable=1)
    closed = checkout.folder / "closed"
    (closed / "bin").mkdir(parents=True)
    (closed / "lib").mkdir()
    closed.chmod(0o700)
    shutil.copy2(os.path.realpath(sys.executable), closed / "bin" / "python3")
    for library in Path(sys.base_prefix, "lib").glob("libpython*"):
        shutil.copy2(library, closed / "lib")
    for python in (script, str(closed / "bin" / "python3")):
        done = checkout.setup(python)
        refused = "only root can run this Python" in done.stderr and "below /opt" in done.stderr
        assert refused is (os.getuid() == 0), done.stderr
    assert (checkout.folder / ".venv").exists() is (os.getuid() != 0)

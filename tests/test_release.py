"""One version everywhere: whoever asks for it, in whatever way, is told the same."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest
from tests.ladder.command_kit import gangland
from tests.script_kit import loaded_script

import gangland as engine


@pytest.fixture(scope="module")
def release(root: Path) -> ModuleType:
    """Return the script that builds releases."""
    return loaded_script(root, "release")


def test_everything_that_names_a_version_names_the_one_of_pyproject(root: Path, release: ModuleType) -> None:
    ours = release.version_of(root)
    changes = re.findall(r"^## (\S+)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    images = re.findall(r"image: gangland:(\S+)", (root / "docker-compose.yml").read_text(encoding="utf-8"))

    assert re.fullmatch(r"\d+\.\d+\.\d+", ours)
    assert engine.__version__ == ours
    assert version("gangland") == ours, "the environment was made before the version changed: make venv"
    assert changes[0] == ours
    assert set(images) == {ours}
    assert 'version_of("gangland")' in (root / "docs" / "conf.py").read_text(encoding="utf-8")


def test_the_command_tells_its_version(root: Path, release: ModuleType) -> None:
    done = gangland("--version")

    assert (done.code, done.out) == (0, f"gangland {release.version_of(root)}\n")


def test_every_version_has_notes_for_those_who_upgrade(root: Path) -> None:
    changes = re.findall(r"^## (\S+)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    notes = (root / "docs" / "upgrading.md").read_text(encoding="utf-8").partition("## Notes for each version")[2]

    assert re.findall(r"^### (\S+)", notes, re.MULTILINE) == changes


def test_the_checksums_are_what_sha256sum_reads(tmp_path: Path, release: ModuleType) -> None:
    (tmp_path / "b.whl").write_bytes(b"wheel")
    (tmp_path / "a.tar.gz").write_bytes(b"archive")

    sums = release.write_sums(tmp_path, [tmp_path / "b.whl", tmp_path / "a.tar.gz"])
    told = release.run(["sha256sum", "--check", "--strict", sums.name], cwd=tmp_path)

    assert sorted(told.splitlines()) == ["a.tar.gz: OK", "b.whl: OK"]

"""One version everywhere: whoever asks for it, in whatever way, is told the same."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest
from tests.kits import command_kit, script_kit

import gangland as engine


@pytest.fixture(scope="module")
def release(root: Path) -> ModuleType:
    return script_kit.loaded_script(root, "release")


def test_everything_that_names_a_version_names_the_one_of_pyproject(root: Path, release: ModuleType) -> None:
    ours = release.version_of(root)
    changes = re.findall(r"^## (\S+)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    images = re.findall(r"image: gangland:(\S+)", (root / "docker-compose.yml").read_text(encoding="utf-8"))
    assert re.fullmatch(r"\d+\.\d+\.\d+", ours)
    assert engine.__version__ == ours
    assert version("gangland") == ours, "the environment was made before the version changed: make venv"
    assert changes[0] == ours
    assert set(images) == {ours}
    notes = (root / "docs" / "backups.md").read_text(encoding="utf-8").partition("## Notes for each version")[2]
    assert re.findall(r"^### (\S+)", notes, re.MULTILINE) == changes


def test_the_command_tells_its_version(root: Path, release: ModuleType) -> None:
    done = command_kit.gangland("--version")
    assert (done.code, done.out) == (0, f"gangland {release.version_of(root)} (engine: pure Python)\n")


def test_the_checksums_are_what_sha256sum_reads(tmp_path: Path, release: ModuleType) -> None:
    (tmp_path / "b.whl").write_bytes(b"wheel")
    (tmp_path / "a.tar.gz").write_bytes(b"archive")
    sums = release.write_sums(tmp_path, [tmp_path / "b.whl", tmp_path / "a.tar.gz"])
    result = release.run(["sha256sum", "--check", "--strict", sums.name], cwd=tmp_path)
    assert sorted(result.splitlines()) == ["a.tar.gz: OK", "b.whl: OK"]


@pytest.fixture(scope="module")
def check(root: Path, release: ModuleType) -> ModuleType:
    assert release.__name__ in sys.modules
    script_kit.loaded_script(root, "release_tables")
    return script_kit.loaded_script(root, "release_check")


def test_a_release_is_checked_until_the_first_step_that_fails(
    check: ModuleType, release: ModuleType, root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = []

    def good(_: object) -> str:
        taken.append("good")
        return "all of it"

    def bad(_: object) -> str:
        raise release.ReleaseError("no bwrap: install bubblewrap")

    steps = [("first", good), ("second", bad), ("third", good)]
    status = check.all_steps(check.Check(root, tmp_path, tmp_path, final=False), steps)
    result = capsys.readouterr()

    assert (status, taken) == (1, ["good"])
    assert [line.split()[:2] for line in result.out.splitlines()] == [["first", "ok"], ["second", "FAILED"]]
    assert "no bwrap: install bubblewrap" in result.err


def test_a_final_release_wants_its_day_and_any_release_wants_one_version(
    check: ModuleType, release: ModuleType, root: Path, tmp_path: Path
) -> None:
    for name in (
        "pyproject.toml", "CHANGELOG.md", "docker-compose.yml", "engine/gangland/__init__.py", "docs/backups.md",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((root / name).read_text(encoding="utf-8"), encoding="utf-8")
    ours, changes = release.version_of(root), tmp_path / "CHANGELOG.md"
    changes.write_text(f"# Changes\n\n## {ours} (unreleased)\n")
    assert check.versions_agree(check.Check(tmp_path, tmp_path, tmp_path, final=False)) == f"{ours}, unreleased"
    with pytest.raises(release.ReleaseError, match="put the day of the release there"):
        check.versions_agree(check.Check(tmp_path, tmp_path, tmp_path, final=True))
    changes.write_text(f"# Changes\n\n## {ours} (2026-12-01)\n")
    assert check.versions_agree(check.Check(tmp_path, tmp_path, tmp_path, final=True)) == f"{ours}, 2026-12-01"
    changes.write_text("# Changes\n\n## 9.9.9 (2026-12-01)\n")
    with pytest.raises(release.ReleaseError, match=f"has to begin with `## {ours}"):
        check.versions_agree(check.Check(tmp_path, tmp_path, tmp_path, final=False))


def test_a_final_release_has_tables_no_model_changes(check: ModuleType, release: ModuleType, tmp_path: Path) -> None:
    first = tmp_path / check.FIRST
    first.parent.mkdir(parents=True)
    first.write_text("from gangland_web.models import metadata\n")
    assert check.tables_are_frozen(check.Check(tmp_path, tmp_path, tmp_path, final=False)) == "not yet: not final"
    with pytest.raises(release.ReleaseError, match=r"release\.py --freeze"):
        check.tables_are_frozen(check.Check(tmp_path, tmp_path, tmp_path, final=True))
    first.write_text(written := sys.modules["release_tables"].frozen_text())
    assert "gangland_web" not in written
    assert check.tables_are_frozen(check.Check(tmp_path, tmp_path, tmp_path, final=True)) == str(check.FIRST)


def test_a_compiler_that_is_missing_is_found_before_anything_else_is_built(
    release: ModuleType, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(*_: object, compiled: bool = False, **__: object) -> None:
        raise release.ReleaseError("no compiler" if compiled else "the compiled wheel is not the first")

    monkeypatch.setattr(release, "clone", lambda _, into: into)
    monkeypatch.setattr(release, "build", build)
    monkeypatch.setattr(release, "build_tools", lambda *_: sys.executable)
    with pytest.raises(release.ReleaseError, match="no compiler"):
        release.release(root, tmp_path / "dist", tmp_path, compiled=True)


def test_what_is_not_committed_is_in_no_release(release: ModuleType, tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path / "repository")]
    subprocess.run(["git", "init", "--quiet", str(tmp_path / "repository")], check=True)
    (tmp_path / "repository" / "kept").write_text("kept")
    subprocess.run([*git, "add", "kept"], check=True)
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@bots.example", "-c", "commit.gpgsign=false"]
    subprocess.run([*git, *who, "commit", "--quiet", "--message", "Keep"], check=True)
    assert release.tracked(release.clone(tmp_path / "repository", tmp_path / "clone")) == ["kept"]
    (tmp_path / "repository" / "house.key").write_text("secret")
    with pytest.raises(release.ReleaseError, match=r"1 changes, '\?\? house\.key' the first: commit or stash them"):
        release.clone(tmp_path / "repository", tmp_path / "other")

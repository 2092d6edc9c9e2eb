"""What `pip install` gives works by itself: the wheel, in a clean environment, far from the checkout."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
from tests.kits.script_kit import loaded_script

EPOCH_S = 1_700_000_000


@dataclass(frozen=True)
class Installed:
    folder: Path
    wheel: Path

    def run(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        return subprocess.run(
            [self.folder / "bin" / command, *arguments],
            cwd=self.folder,
            env=clean | {"NO_COLOR": "1"},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def packages(self) -> Path:
        (found,) = self.folder.glob("lib/python*/site-packages")
        return found


@pytest.fixture(scope="module")
def release(root: Path) -> ModuleType:
    return loaded_script(root, "release")


@pytest.fixture(scope="module")
def built(root: Path, release: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    files: dict[str, Path] = release.build(root, tmp_path_factory.mktemp("dist"), EPOCH_S)
    return files


@pytest.fixture(scope="module")
def installed(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel without the network; a path borrows the tests' locked libraries, without their .pth files."""
    folder = tmp_path_factory.mktemp("clean")
    wheel = built["wheel"]
    made = Installed(folder / "venv", wheel)
    venv.create(made.folder, with_pip=False, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(made.folder / "bin" / "python")]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True, capture_output=True)
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (made.packages / "borrowed.pth").write_text("\n".join(sorted(borrowed)) + "\n", encoding="utf-8")
    return made


def test_the_wheel_has_house_bots_pages_and_migrations_and_nothing_an_import_trips_over(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = wheel.namelist()
    bundle, viewer = "gangland_web/site/static/codemirror", "gangland_ladder/viewer"
    assert {
        "gangland_ladder/errors.toml",
        *(f"{bundle}/{name}" for name in ("codemirror.js", "bundle.json", "LICENSE.txt")),
        *(f"{viewer}/{name}" for name in ("js/viewer.js", "viewer.css", "page.css", "dice.svg")),
        "gangland_web/_migrations/env.py",
    } <= set(names)
    for folder in (
        *("gangland_bots/gang_of_dice/", "gangland_bots/gangster_dice/", "gangland_web/site/templates/"),
        *("gangland_web/site/static/", "gangland_web/_migrations/versions/"),
    ):
        assert any(name.startswith(folder) for name in names), folder
    assert len([name for name in names if name.startswith("gangland_ladder/local/starters/")]) == 5
    packages = {top for top in (name.split("/")[0] for name in names) if not top.endswith(".dist-info")}
    assert packages == {"gangland", "gangland_bots", "gangland_ladder", "gangland_sandbox", "gangland_web"}


def test_both_archives_hold_what_the_repository_tracks(root: Path, release: ModuleType, built: dict[str, Path]) -> None:
    files, wheel = release.tracked(root), built["wheel"]
    lost = [name for name in files if name not in ("platform/gangland_web/app.py", "scripts/lock")]
    more = [*files, "platform/gangland_web/secrets/database_url", "deploy/house.pem"]
    assert release.wheel_problems(wheel, files) == []
    assert release.sdist_problems(built["sdist"], files) == []
    assert release.wheel_problems(wheel, lost) == [f"{wheel.name} holds gangland_web/app.py, which is not tracked"]
    assert release.sdist_problems(built["sdist"], lost)[-1].endswith("holds scripts/lock, which is not tracked")
    assert release.wheel_problems(wheel, more)[0].endswith("lacks gangland_web/secrets/database_url")
    assert release.NEVER.search("gangland_web/secrets/database_url")
    assert release.NEVER.search("deploy/house.pem")
    assert [name for name in files if release.NEVER.search(name)] == []


def test_a_compiled_wheel_holds_modules_of_the_engine_and_no_others(
    root: Path, release: ModuleType, built: dict[str, Path], tmp_path: Path
) -> None:
    files, wheel = release.tracked(root), tmp_path / "gangland-compiled.whl"
    wheel.write_bytes(built["wheel"].read_bytes())
    assert release.wheel_problems(wheel, files, compiled=True) == [f"{wheel.name} lacks compiled modules"]
    with zipfile.ZipFile(wheel, "a") as archive:
        for name in ("ab12__mypyc", "gangland/gang_of_dice/rules", "gangland_web/app"):
            archive.writestr(f"{name}.cpython-311-x86_64-linux-gnu.so", b"")
    assert release.wheel_problems(wheel, files, compiled=True) == [
        f"{wheel.name} holds gangland_web/app.cpython-311-x86_64-linux-gnu.so, which is not tracked"
    ]


def test_a_wheel_is_the_same_from_another_place(release: ModuleType, built: dict[str, Path], tmp_path: Path) -> None:
    again = release.build_from_sdist(built["sdist"], tmp_path / "a longer path" / "elsewhere", EPOCH_S)
    assert again.read_bytes() == built["wheel"].read_bytes()


def test_the_installed_packages_are_the_wheels_own(installed: Installed) -> None:
    code = (
        "import gangland, gangland_bots, gangland_ladder, gangland_sandbox, gangland_web\n"
        "from gangland_web.models.database import migrations_folder\n"
        "for it in (gangland, gangland_bots, gangland_ladder, gangland_sandbox, gangland_web): print(it.__file__)\n"
        "print(migrations_folder())"
    )
    done = installed.run("python", "-c", code)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if not line.startswith(str(installed.packages))] == []

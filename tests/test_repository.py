"""The repository keeps its shape: the trap of the name `platform`, the lock, texts that suit every machine."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE_ROOTS = ("engine", "sandbox", "bots", "platform")
LEFT_OUT = {".git", ".venv", "__pycache__", "build", "dist", "node_modules"}
TEXTS = {
    "", ".py", ".md", ".toml", ".txt", ".yml", ".yaml", ".json", ".html", ".css", ".js", ".sh", ".mako", ".in",
    ".svg",
}  # fmt: skip
MACHINE_PATH = re.compile(r"(?:^|[^A-Za-z0-9_.])/(?:root|work|farm|Users/\w+|home/\w+)/", re.MULTILINE)


def texts(root: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        hidden = any(part.startswith(".") and part not in {".ci", ".gitignore", ".dockerignore"} for part in parts)
        if path.is_file() and path.suffix in TEXTS and not hidden and not LEFT_OUT.intersection(parts):
            yield "/".join(parts), path.read_text(encoding="utf-8")


def test_no_source_root_is_a_package_and_nothing_hides_the_standard_library(root: Path) -> None:
    for name in SOURCE_ROOTS:
        assert (root / name).is_dir()
        assert not (root / name / "__init__.py").exists()
    packages = [str(path.relative_to(root)) for path in (root / "tests").rglob("__init__.py")]
    assert [path.name for path in (root / "platform").glob("*.py")] == []
    assert packages == ["tests/__init__.py"]


def test_what_tests_share_lies_in_kits_and_no_test_module_is_imported(root: Path) -> None:
    imported = re.compile(r"^\s*(?:from|import) tests\.[\w.]*\btest_\w+", re.MULTILINE)
    found = [name for name, text in texts(root / "tests") if name.endswith(".py") and imported.search(text)]
    assert found == []


@pytest.mark.parametrize(("folder", "package"), [("web", "gangland_web"), ("ladder", "gangland_ladder")])
def test_the_folders_of_tests_are_those_of_the_modules(root: Path, folder: str, package: str) -> None:
    layers = {path.parent.name for path in (root / "platform" / package).glob("*/__init__.py")}
    folders = {path.parent.name for path in (root / "tests" / folder).glob("*/test_*.py")}
    deeper = [str(path) for path in (root / "tests" / folder).glob("*/*/**/test_*.py")]
    assert folders == layers
    assert deeper == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("-m", "pytest", "--version"),
        ("-m", "flask", "--version"),
        ("-c", "import celery, sqlalchemy, platform; print(platform.python_version())"),
        ("-c", "import tests.golden.store, tests.chaos.report, tests.browser.pages"),
    ],
    ids=["pytest", "flask", "libraries", "our own tests"],
)
def test_python_works_from_the_root_of_the_repository(root: Path, arguments: tuple[str, ...]) -> None:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_imports_run_one_way(root: Path) -> None:
    lint_imports = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint_imports, "--no-cache"], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_text_names_a_path_of_somebodys_machine(root: Path) -> None:
    found = [f"{name}: {hit.group()!r}" for name, text in texts(root) for hit in MACHINE_PATH.finditer(text)]
    # A hostile bot reaches for such paths on purpose.
    assert [line for line in found if not line.startswith("tests/hostile/")] == []


def test_every_python_file_says_what_it_is_for(root: Path) -> None:
    sources = [name for name, _ in texts(root) if name.endswith(".py") and name.startswith(SOURCE_ROOTS)]
    silent = [name for name in sources if not (root / name).read_text(encoding="utf-8").startswith(('"""', "#"))]
    assert silent == []


def test_celery_finds_its_time_zone_on_a_machine_that_has_none() -> None:
    ask = "from celery import Celery; app = Celery(); app.conf.timezone = 'UTC'; print(app.timezone)"
    environment = {"PATH": os.environ["PATH"], "PYTHONTZPATH": ""}
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, env=environment, check=False)
    assert (run.stdout.strip(), run.returncode) == ("UTC", 0), run.stderr

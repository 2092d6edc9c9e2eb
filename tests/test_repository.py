"""The repository keeps its shape: the trap of the name `platform`, the lock, texts that suit every machine."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

SOURCE_ROOTS = ("engine", "sandbox", "bots", "platform")
LEFT_OUT = {".git", ".venv", "__pycache__", "build", "dist", "node_modules"}
TEXTS = {
    "",
    ".py",
    ".md",
    ".toml",
    ".txt",
    ".yml",
    ".yaml",
    ".json",
    ".html",
    ".css",
    ".js",
    ".sh",
    ".mako",
    ".in",
    ".svg",
}
MACHINE_PATH = re.compile(r"(?:^|[^A-Za-z0-9_.])/(?:root|work|farm|Users/\w+|home/\w+)/", re.MULTILINE)


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the relative name and the text of every file that belongs to the project."""
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        hidden = any(part.startswith(".") and part not in {".ci", ".gitignore", ".dockerignore"} for part in parts)
        if path.is_file() and path.suffix in TEXTS and not hidden and not LEFT_OUT.intersection(parts):
            yield "/".join(parts), path.read_text(encoding="utf-8")


def run_python(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run this interpreter from the root of the repository."""
    return subprocess.run([sys.executable, *arguments], cwd=root, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", SOURCE_ROOTS)
def test_a_source_root_is_no_package(root: Path, name: str) -> None:
    assert (root / name).is_dir()
    assert not (root / name / "__init__.py").exists()


def test_nothing_lies_in_platform_or_tests_that_hides_the_standard_library(root: Path) -> None:
    loose = [path.name for path in (root / "platform").glob("*.py")]
    packages = [str(path.relative_to(root)) for path in (root / "tests").rglob("__init__.py")]

    assert loose == []
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
    done = run_python(root, *arguments)

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


@pytest.mark.parametrize("name", ["build", "run", "dev"])
def test_the_lock_pins_every_package_by_hash_and_names_no_address(root: Path, name: str) -> None:
    lock = (root / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    packages = [line for line in lock.splitlines() if line and line[0].isalnum()]
    without_hash = [
        entry.splitlines()[0] for entry in re.split(r"\n(?=[A-Za-z0-9])", lock)[1:] if "--hash=sha256:" not in entry
    ]

    assert packages
    assert [line for line in packages if "==" not in line] == []
    assert without_hash == []
    assert "://" not in lock
    assert "--index-url" not in lock


def test_the_lock_has_every_declared_dependency(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {
        "run": project["dependencies"],
        "dev": project["dependencies"] + project["optional-dependencies"]["dev"],
    }

    for name, wanted in declared.items():
        lock = (root / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        locked = {line.split("==")[0] for line in lock.splitlines() if "==" in line}
        missing = {canonical(line) for line in wanted} - locked
        assert missing == set(), f"requirements/{name}.txt is out of date: make lock"


def test_the_run_lock_and_the_development_lock_agree(root: Path) -> None:
    run, dev = (
        {
            line
            for line in (root / "requirements" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
            if "==" in line
        }
        for name in ("run", "dev")
    )

    assert run <= dev


# Not imported by name: SQLAlchemy loads the driver, kombu and redis import the next two, and zoneinfo reads tzdata.
LOADED_BY_OTHERS = {"psycopg", "packaging", "async-timeout", "tzdata"}


def imported(root: Path, *folders: str) -> set[str]:
    """Return the distributions outside of the standard library that Python files in these folders import."""
    owners = packages_distributions()
    found: set[str] = set()
    for file in (file for folder in folders for file in (root / folder).rglob("*.py") if "hostile" not in file.parts):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                modules.append(node.module)
            tops = {module.split(".")[0] for module in modules} - sys.stdlib_module_names
            found |= {canonical(name) for top in tops for name in owners.get(top, [])}
    return found - {"gangland"}


def canonical(name: str) -> str:
    """Return a distribution's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=;~! ]", name)[0]).lower()


def test_every_library_that_is_imported_is_declared_and_none_besides(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {canonical(line) for line in project["dependencies"]}
    extras = {name: {canonical(line) for line in lines} for name, lines in project["optional-dependencies"].items()}
    for_tests = extras.pop("dev")
    with_extras = declared.union(*extras.values())

    assert declared - LOADED_BY_OTHERS <= imported(root, *SOURCE_ROOTS) <= with_extras
    assert imported(root, "tests") <= with_extras | for_tests


def test_celery_finds_its_time_zone_on_a_machine_that_has_none() -> None:
    ask = "from celery import Celery; app = Celery(); app.conf.timezone = 'UTC'; print(app.timezone)"
    environment = {"PATH": os.environ["PATH"], "PYTHONTZPATH": ""}
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, env=environment, check=False)
    assert (run.stdout.strip(), run.returncode) == ("UTC", 0), run.stderr

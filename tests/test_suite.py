"""The two suites: what is long is left out of the quick one, and both are run by the workflows for every Python."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

WORKFLOWS = ("test", "nightly")
MAKE = re.compile(r"\bmake ([a-z-]+)")


def workflow(root: Path, name: str) -> dict[str, Any]:
    document: dict[str, Any] = YAML(typ="safe").load(root / ".github" / "workflows" / f"{name}.yml")
    return document


def run_pytest(root: Path, module: Path, *options: str) -> subprocess.CompletedProcess[str]:
    rules = ["-p", "tests.conftest", "-c", "pyproject.toml", f"--rootdir={root}"]
    command = [sys.executable, "-m", "pytest", "-q", *rules, *options, str(module)]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(command, check=False, cwd=root, env=outside, capture_output=True, text=True)


def test_a_long_test_or_parameter_runs_only_when_asked_for_and_has_a_reason(root: Path, tmp_path: Path) -> None:
    module = tmp_path / "test_small.py"
    module.write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('size', [1, pytest.param(2, marks=pytest.mark.long('the same for two'))])\n"
        "def test_size(size): assert size\n"
        "@pytest.mark.long('takes a minute')\n"
        "def test_minute(): assert True\n"
    )
    quick, whole = run_pytest(root, module), run_pytest(root, module, "--long")
    assert quick.returncode == whole.returncode == 0, quick.stdout + whole.stdout
    assert "1 passed, 2 deselected" in quick.stdout
    assert "3 passed" in whole.stdout
    assert re.search(r"seconds of each folder =+\n *\d+\.\d  ", whole.stdout), whole.stdout
    module.write_text("import pytest\n@pytest.mark.long\ndef test_minute(): assert True\n")
    answer = run_pytest(root, module)
    assert answer.returncode == pytest.ExitCode.USAGE_ERROR
    assert "test_minute: expected long(" in answer.stdout + answer.stderr


@pytest.mark.parametrize("schema", ["vendor.github-workflows", "custom.github-workflows-require-timeout"])
def test_the_workflows_are_as_their_schema_says(root: Path, schema: str) -> None:
    files = [str(root / ".github" / "workflows" / f"{name}.yml") for name in WORKFLOWS]
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *files]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.startswith("ok")


@pytest.mark.parametrize(("name", "job", "target"), [("test", "test", "test"), ("nightly", "test-all", "test-all")])
def test_each_suite_runs_on_every_python_that_is_promised(root: Path, name: str, job: str, target: str) -> None:
    classifiers = tomllib.loads((root / "pyproject.toml").read_text())["project"]["classifiers"]
    promised = [row.rpartition(" :: ")[2] for row in classifiers if re.search(r"Python :: 3\.\d", row)]
    definition = workflow(root, name)["jobs"][job]
    assert definition["strategy"]["matrix"]["python"] == promised
    assert any(MAKE.findall(step.get("run", "")) == [target] for step in definition["steps"])


def test_help_names_every_target_and_starts_with_the_four_that_a_newcomer_needs(root: Path) -> None:
    text = subprocess.run(["make", "help"], cwd=root, check=True, capture_output=True, text=True).stdout
    assert MAKE.findall(text.partition("\n\n")[0]) == ["up", "test", "check", "format"]
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(), re.MULTILINE)) - {"help"}
    lines = re.findall(r"^  make ([a-z-]+(?: \| [a-z-]+)*)", text, re.MULTILINE)
    assert {name for line in lines for name in line.split(" | ")} >= targets

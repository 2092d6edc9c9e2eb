"""The compiled engine plays as its source does, and command and doctor say which one runs.

The quick suite compiles a part of it; a long run compiles all of it and keeps it in build/compiled.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import ModuleType

import pytest
from tests.kits.script_kit import loaded_script

SAME_RULES = ["tests/golden", "tests/contract", "tests/engine"]
PART = {"chance.py", "match.py", "rules.py"}  # compiled in the quick suite: dice, match loop, Gang of Dice
SOME_GAMES = [
    "tests/golden/test_golden_replays.py::test_golden_games_played_anew_are_the_same_to_the_byte[gang-of-dice]",
    "tests/contract/test_contract_play.py::test_a_rollout_plays_the_game_that_its_decisions_give[gang-of-dice]",
]
WHICH = "from gangland.compiled import engine_kind; print(engine_kind())"
OF_THE_SOURCE = [
    "tests/engine/test_compiled.py",
    "tests/engine/test_examples.py",  # reads docstrings
    "tests/engine/gangster_dice/test_gangster_dice_other_characters.py",  # puts other characters into a module
]


@pytest.fixture(scope="module")
def compiled(root: Path) -> Path:
    folder: Path = loaded_script(root, "compile_engine").compiled(root)
    return folder


@pytest.fixture(scope="module")
def partly_compiled(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    script, folder = loaded_script(root, "compile_engine"), tmp_path_factory.mktemp("compiled")
    whole, source = root / "engine" / "gangland", folder / "source" / "gangland"
    shutil.copytree(whole, source, ignore=shutil.ignore_patterns("gangster_dice"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(script, "FLAGS", {**script.FLAGS, "MYPYC_OPT_LEVEL": "0"})
        patch.setattr(script, "PURE", {path.name for path in source.rglob("*.py")} - PART)
        script._compile(source, folder)
    shutil.copytree(whole / "gangster_dice", folder / "gangland" / "gangster_dice")
    return folder


def run(root: Path, path: Path | str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        | {"PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    return done.stdout


def test_what_a_python_lacks_for_compiling_is_named_with_a_fix(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = loaded_script(root, "compile_engine")

    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(script, "version", missing)
    with pytest.raises(script.CompileError, match=r"has no mypy: .* -m pip install mypy setuptools"):
        script.compiled(root)
    bare = [sys.executable, "-I", "-S", str(root / "scripts" / "compile_engine.py")]
    done = subprocess.run(bare, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr == "compile_engine: this Python has no hatchling: python -m pip install hatchling mypy setuptools\n"
    )


@pytest.mark.slow
def test_golden_games_and_a_game_of_the_contract_hold_for_compiled_rules(root: Path, partly_compiled: Path) -> None:
    modules = {path.name.split(".")[0] for path in (partly_compiled / "gangland").rglob("*.so")}
    assert {f"{name}.py" for name in modules if "__mypyc" not in name} == PART
    assert run(root, partly_compiled, "-c", WHICH) == "compiled\n"
    run(root, partly_compiled, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SOME_GAMES)


@pytest.mark.slow
def test_command_and_doctor_say_which_engine_runs(root: Path, partly_compiled: Path) -> None:
    for path, kind in ((partly_compiled, "compiled"), (root / "engine", "pure Python")):
        assert f"(engine: {kind})" in run(root, path, "-m", "gangland_ladder.cli", "--version")
        facts = run(root, path, "-c", "from gangland_sandbox.machine import facts; print(facts()['engine'])")
        assert facts == f"{kind}; pure Python in jails\n"


@pytest.mark.long("compiles the whole engine, and plays all tests of the rules with it")
@pytest.mark.slow
@pytest.mark.parametrize("tests", SAME_RULES)
def test_golden_games_contract_and_rulings_hold_for_the_compiled_engine(root: Path, compiled: Path, tests: str) -> None:
    without = [f"--ignore={name}" for name in OF_THE_SOURCE]
    run(root, compiled, "-m", "pytest", "-q", "-p", "no:cacheprovider", *without, tests)


@pytest.mark.long("compiles the whole engine")
@pytest.mark.slow
def test_random_games_are_the_same_to_the_byte_compiled_and_pure(root: Path, compiled: Path) -> None:
    command = ["-m", "tests.contract.campaign", "600"]
    assert run(root, compiled, *command) == run(root, root / "engine", *command)


@pytest.mark.long("compiles the whole engine")
@pytest.mark.slow
def test_a_compiled_wheel_is_for_one_platform_source_and_modules(root: Path, compiled: Path, tmp_path: Path) -> None:
    release: ModuleType = loaded_script(root, "release")
    wheel = release.build(root, tmp_path, 1_700_000_000, targets=["wheel"], compiled=True)["wheel"]
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "unpacked")
    assert wheel.stem.split("-")[2] == f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert "any" not in wheel.stem
    assert {str(file.relative_to(compiled)) for file in compiled.rglob("*.so")} <= names
    assert "gangland/gang_of_dice/rules.py" in names
    assert release.wheel_problems(wheel, release.tracked(root), compiled=True) == []
    assert run(root, tmp_path / "unpacked", "-c", WHICH) == "compiled\n"

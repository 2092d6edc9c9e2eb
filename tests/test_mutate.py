"""The tool that makes mutants: what it changes, and that it tells those that tests kill from those that live."""

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.kits.script_kit import loaded_script

OF_A_TOOL = pytest.mark.long("tests of a tool: `make mutate`")
SOURCE = '''"""Numbers."""


def least(first: int, second: int) -> int:
    """Return the lesser of two."""
    if first < second:
        return first
    raise ValueError(f"{first + 1}")
'''
TEST = """from small import least


def test_least():
    assert least(1, 2) == 1
"""


@pytest.fixture(scope="module")
def mutate(root: Path) -> ModuleType:
    return loaded_script(root, "mutate")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "small.py").write_text(SOURCE)
    (tmp_path / "test_small.py").write_text(TEST)
    return tmp_path


@OF_A_TOOL
def test_a_mutant_changes_one_thing_and_no_message(mutate: ModuleType, small: Path) -> None:
    assert [(mutant.line, mutant.after) for mutant in mutate.mutants_of(small, "small.py")] == [
        (6, "if (first <= second):"), (6, "if (first >= second):"), (7, "return None"), (8, "pass"),
    ]  # fmt: skip


@OF_A_TOOL
def test_which_mutants_live_is_told(mutate: ModuleType, small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suites = [mutate.Suite("numbers", ("small.py",), ("test_small.py",))]
    before, boundary = "if first < second:", "if (first <= second):"
    assert mutate.run(small, suites, set(), count=4, seed=1, jobs=2) == 1
    told = capsys.readouterr().out
    assert f"SURVIVED small.py:6\n    {before}\n    {boundary}\n" in told
    assert f"killed small.py:6\n    {before}\n    if (first >= second):\n" in told
    assert told.endswith("numbers: 2 killed, 2 SURVIVED, 0 equivalent\n")
    assert (small / "small.py").read_text() == SOURCE
    equivalent = {("small.py", before, boundary), ("small.py", 'raise ValueError(f"{first + 1}")', "pass")}
    assert mutate.run(small, suites, equivalent, count=4, seed=1, jobs=2) == 0


@OF_A_TOOL
def test_no_mutant_is_tried_on_tests_that_fail_or_test_something_else(mutate: ModuleType, small: Path) -> None:
    suites = [mutate.Suite("numbers", ("small.py",), ("test_small.py",))]
    (small / "test_small.py").write_text("def test_nothing():\n    assert True\n")
    with pytest.raises(SystemExit, match="not what these tests import"):
        mutate.run(small, suites, set(), count=1, seed=1, jobs=1)
    (small / "test_small.py").write_text("def test_nothing():\n    assert False\n")
    with pytest.raises(SystemExit, match="without a mutant these tests fail"):
        mutate.run(small, suites, set(), count=1, seed=1, jobs=1)


INTERRUPTS = """import os, signal, time
from pathlib import Path

def test_nothing():
    Path("../../../tests.pid").write_text(str(os.getpid()))
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(100)
"""


@OF_A_TOOL
def test_ctrl_c_stops_the_tests_that_run_and_starts_no_others(root: Path, small: Path) -> None:
    (small / "test_small.py").write_text(INTERRUPTS)
    code = (
        "import sys; from pathlib import Path; import mutate; mutate.ROOT = Path(sys.argv[1]);"
        "suites = [mutate.Suite('numbers', ('small.py',), (test,)) for test in ('test_small.py', './test_small.py')];"
        "mutate.read_table = lambda: (suites, set()); sys.exit(mutate.main(['--jobs', '1']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, small],
        env=os.environ | {"PYTHONPATH": str(root / "scripts")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
    with pytest.raises(ProcessLookupError):
        os.kill(int((small / "tests.pid").read_text()), 0)


@pytest.mark.parametrize("option", ["--jobs", "--count"])
def test_no_jobs_or_mutants_is_exit_2(mutate: ModuleType, capsys: pytest.CaptureFixture[str], option: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        mutate.main([option, "0"])
    assert f"argument {option}: expected a number from 1 on, not '0'" in capsys.readouterr().err


def test_every_file_of_the_table_is_there(mutate: ModuleType, root: Path) -> None:
    suites, equivalent = mutate.read_table()
    named = [path for suite in suites for path in (*suite.sources, *suite.tests) if "/" in path]
    named += [path for path, _, _ in equivalent]
    assert [path for path in named if not (root / path).exists()] == []

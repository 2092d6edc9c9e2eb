"""Ctrl-C (what is known so far, and the command that does it again; exit code 130), and numpy's threads."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from tests.kits.command_kit import Ran, gangland

from gangland_ladder.cli import output, reproduce
from gangland_ladder.common.runtime import calculate_on_one_thread, delayed_interrupt
from gangland_ladder.local.store import RunStore

BOT = """
import os
import time
from gangland import gang_of_dice

class {name}(gang_of_dice.Bot):
    games = 0

    def on_game_start(self, start):
        self.games += 1

    def choose_dice(self, view):
        while self.games > 2 and os.path.exists({gate!r}):
            time.sleep(0.01)
        return min({dice}, view.pool)
"""
"""A bot that plays no third game while a file of this name is there: so a match is in mid-play for sure."""
BLOCKS = 4


class InterruptedInput(BytesIO):
    """Input that ends with Ctrl-C."""

    def readline(self, size: int | None = -1, /) -> bytes:
        return self._line(super().readline(-1 if size is None else size))

    def __next__(self) -> bytes:
        return self.readline()

    @staticmethod
    def _line(line: bytes) -> bytes:
        if not line:
            raise KeyboardInterrupt
        return line


@contextmanager
def interrupted_when(reached: Callable[[], bool]) -> Iterator[None]:
    def look(*_: object) -> None:
        if reached():
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def again(ran: Ran) -> list[str]:
    assert ran.code == 130
    (line,) = [line for line in ran.err.splitlines() if line.startswith("run again: ")]
    return shlex.split(line.removeprefix("run again: "))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ladder")
    for name, dice in (("one", 1), ("two", 2)):
        (folder / f"{name}.py").write_text(BOT.format(name=name.title(), dice=dice, gate=str(folder / "gate")))
    made = gangland("ladder", folder, "--trusted", "--blocks", BLOCKS, "--archive", folder / "cup.tar", "--seed", 1)
    assert made.code == 0, made.err
    return folder / "cup.tar"


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_an_interrupted_verify_says_so(archive: Path, monkeypatch: pytest.MonkeyPatch, form: tuple[str, ...]) -> None:
    def reached(self: output.Progress, done: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(output.Progress, "update", reached)
    ran = gangland("verify", archive, *form)

    assert again(ran) == ["gangland", "verify", str(archive), *form]
    assert f"interrupted after {2 * BLOCKS} of {2 * BLOCKS} games; results are partial" in ran.err
    if form:
        result = ran.document
        assert (result["verified"], result["games"], result["findings"]) == (None, 2 * BLOCKS, [])
    else:
        assert ran.out == f"{archive}: 0 findings in 1 match and {2 * BLOCKS} games; the rest was not checked\n"


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_an_interrupted_reproduction_tells_the_games_that_came_out_so_far(archive: Path, form: tuple[str, ...]) -> None:
    arguments = ("reproduce", 1, archive.parent, "--archive", archive, "--trusted", *form)
    reproduce._share_progress(0, 0)
    gate = archive.with_name("gate")
    gate.touch()
    with interrupted_when(lambda: reproduce._PROGRESS.unpack(reproduce._SHARED_PROGRESS)[0] > 0):
        ran = gangland(*arguments)
    gate.unlink()
    assert again(ran) == ["gangland", *map(str, arguments)]
    if form:
        result = ran.document
        assert (result["reproduced"], result["difference"], result["deterministic"]) == (None, None, None)
        assert 0 < result["games"] < 2 * BLOCKS
        assert result["decisions"] > 0
    else:
        assert f" of {2 * BLOCKS} games as recorded so far" in ran.out


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_interrupted_ratings_are_those_of_the_lines_that_were_read(form: tuple[str, ...]) -> None:
    seats = '"seats": [{"entry": 7, "mean_place": "4/3"}, {"entry": 9, "mean_place": "5/3"}]'
    lines = [f'{{"number": {number}, "game": "gang-of-dice", "blocks": 12, {seats}}}\n' for number in (1, 2)]
    ran = gangland("rate", "-", *form, stdin=InterruptedInput("".join(lines).encode()))
    assert again(ran) == ["gangland", "rate", "-", *form]
    assert "interrupted after 2 matches" in ran.err
    if form:
        assert (ran.document["folded"], len(ran.document["ratings"])) == (2, 2)
    else:
        assert ran.out.startswith("#  entry")


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_an_interrupted_verify_of_replays_counts_those_that_were_read(root: Path, form: tuple[str, ...]) -> None:
    golden = (root / "tests/golden/gang-of-dice.ndjson").read_text().splitlines(keepends=True)
    ran = gangland("verify", "-", *form, stdin=InterruptedInput("".join([*golden[:3], "{}\n"]).encode()))
    assert again(ran) == ["gangland", "verify", "-", *form]
    if form:
        assert [ran.document[name] for name in ("verified", "replays", "failed")] == [False, 4, 1]
    else:
        assert ran.out == "stdin: 1 of 4 replays failed\n"


def test_a_command_that_has_nothing_to_tell_yet_names_itself() -> None:
    ran = gangland("rate", "-", stdin=InterruptedInput())
    assert again(ran) == ["gangland", "rate", "-"]
    assert (ran.out, "interrupted before the first result" in ran.err) == ("", True)


def test_ctrl_c_once_more_while_a_command_ends_does_not_change_its_exit_code() -> None:
    late = (
        "import os, sys\n"
        "from gangland_ladder.cli import main\n"
        "class Input:\n"
        "    def __iter__(self): raise KeyboardInterrupt\n"
        "class Pressed:\n"
        "    def __del__(self, kill=os.kill, pid=os.getpid()): kill(pid, 2)\n"
        "pressed, sys.argv = Pressed(), ['gangland', 'rate', '-']\n"
        "sys.stdin = type('Stdin', (), {'buffer': Input()})()\n"
        "main()\n"
    )
    ran = subprocess.run([sys.executable, "-c", late], capture_output=True, text=True, check=False)
    assert (ran.returncode, "again: gangland rate -" in ran.stderr) == (130, True), ran.stderr


@pytest.mark.parametrize(("imported", "program"), [("typer", "gangland"), ("redis", "gangland up")])
def test_ctrl_c_while_modules_are_imported_prints_no_traceback(tmp_path: Path, imported: str, program: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {imported!r}: os.kill(os.getpid(), 2)\n"
        "sys.meta_path.insert(0, Pressed())\n"
    )
    up = [sys.executable, "-m", "gangland_ladder.cli", "up", "--port", "1", "--data", str(tmp_path / "data")]
    ran = subprocess.run(
        up, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (130, f"{program}: interrupted\n")


def test_ctrl_c_waits_for_what_must_not_be_done_by_half() -> None:
    done = []

    @delayed_interrupt()
    def work(what: str, *, pressed: bool) -> None:
        if pressed:
            signal.raise_signal(signal.SIGINT)
        done.append(what)

    with pytest.raises(KeyboardInterrupt):
        work("all of it", pressed=True)
    work("and more", pressed=False)
    assert done == ["all of it", "and more"]


def test_what_was_put_into_a_run_is_there_when_it_is_read_again(tmp_path: Path) -> None:
    with closing(RunStore(tmp_path / "run.ndjson", {"seats": 2}, resume=False)) as store:
        store.put("a", {"x": 1})
        store.refresh()
        assert store.results == {"a": b'{"x":1}'}


def test_numpy_calculates_on_one_thread_unless_the_environment_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    calculate_on_one_thread()
    assert (os.environ["OMP_NUM_THREADS"], os.environ["OPENBLAS_NUM_THREADS"]) == ("1", "3")

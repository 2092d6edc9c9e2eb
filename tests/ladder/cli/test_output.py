"""Output that cannot show or take what a command prints ends no command in a traceback."""

import io
import json
import os
import re
import sys
import time
from contextlib import redirect_stderr
from io import BytesIO, StringIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path
from typing import TextIO

import pytest
from tests.kits import bots_kit, command_kit

from gangland_ladder import cli, local
from gangland_ladder.cli.output import MAX_INTERVAL_S, Progress, ProgressLine
from gangland_ladder.local.processes import Tables, count_games
from gangland_sandbox import jail, pool

ODD = "Zoë 𝄞 \udcff"


def ended(monkeypatch: pytest.MonkeyPatch, out: TextIO | None, err: TextIO | None, *arguments: str) -> int:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "argv", ["gangland", *arguments])
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        try:
            cli.main()
        except SystemExit as end:
            return int(end.code or 0)
        finally:
            for given, stream in ((out, sys.stdout), (err, sys.stderr)):
                if given is None:
                    stream.close()
    return 0


def test_characters_that_an_output_lacks_are_escaped_and_json(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / ODD
    folder.mkdir()
    (folder / "gangland.toml").write_text("seats = 3\n")
    monkeypatch.chdir(folder)
    plain, document = (TextIOWrapper(BytesIO(), "ascii") for _ in range(2))
    assert ended(monkeypatch, plain, StringIO(), "config", "--show-origin") == 0
    assert ended(monkeypatch, document, StringIO(), "config", "--json") == 0
    assert b"/Zo\\u00eb \\ud834\\udd1e " in plain.buffer.getvalue()
    assert json.loads(document.buffer.getvalue())["project_file"] == str(folder / "gangland.toml")


@pytest.mark.parametrize("arguments", [("--help",), ("explain", "--help"), ("explain", "E203"), ("config", "--json")])
@pytest.mark.parametrize("buffering", [-1, 1])
def test_a_full_output_is_one_line(monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], buffering: int) -> None:
    said = StringIO()
    with open("/dev/full", "w", buffering, encoding="utf-8") as full:
        code = ended(monkeypatch, full, said, *arguments)
    assert (code, said.getvalue()) == (2, "gangland: cannot write the output: No space left on device\n")


def test_a_closed_or_full_output_beside_the_results_changes_no_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    out = StringIO()
    with open("/dev/full", "w", encoding="utf-8") as full:
        assert ended(monkeypatch, out, full, "explain", "E999") == 2
    assert ended(monkeypatch, None, None, "explain", "E203") == 0
    read, write = os.pipe()
    os.close(read)
    with open(write, "w", encoding="utf-8") as nobody_reads:
        assert ended(monkeypatch, nobody_reads, out, "explain", "E203") == 1
    assert out.getvalue() == ""


# Progress: a bar on a terminal, plain lines where stderr is piped, nothing with --quiet.


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that advances by some seconds each time it is read."""

    def __init__(self, step_s: float) -> None:
        self.now, self.step_s = 0.0, step_s

    def __call__(self) -> float:
        self.now += self.step_s
        return self.now


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    return Terminal()


def played(stderr: io.StringIO, *, quiet: bool = False, step_s: float = 1.0) -> str:
    """Return what is shown of ten of twenty games, after five earlier ones."""
    with redirect_stderr(stderr), Progress(20, 5, quiet=quiet, clock=Clock(step_s)) as progress:
        for done in range(6, 16):
            progress.update(done)
    return stderr.getvalue()


def without_escapes(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_a_terminal_shows_games_their_rate_and_the_time_left_and_leaves_nothing_behind(terminal: Terminal) -> None:
    shown = played(terminal)
    last = without_escapes(shown).split("\r")
    assert any(re.match(r"15/20 games ━+.* 1 games/s  \d+ s left", line) for line in last)
    assert "\x1b[9" in shown or "\x1b[3" in shown
    assert shown.rstrip().endswith("\x1b[2K")


def test_no_color_draws_the_bar_without_colours(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = played(terminal)
    assert "━" in shown
    assert re.search(r"\x1b\[[0-9;]*m", shown) is None


def test_a_dumb_terminal_and_a_pipe_get_plain_lines(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    lines = played(terminal, step_s=MAX_INTERVAL_S / 4).splitlines()
    assert 2 <= len(lines) < 10
    assert all(re.fullmatch(r"\d+/20 games  0 games/s  \d+ (s|min) left", line) for line in lines)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert played(io.StringIO(), step_s=MAX_INTERVAL_S / 4).splitlines() == lines


def test_quiet_says_nothing_and_neither_does_what_is_soon_over(terminal: Terminal) -> None:
    assert played(terminal, quiet=True) == ""
    assert played(io.StringIO(), step_s=0.01) == ""


def test_words_of_a_line_are_shown_as_they_are(terminal: Terminal) -> None:
    with redirect_stderr(terminal), ProgressLine(clock=Clock(1.0)) as line:
        line.show("3 blocks [bold]{task}[/bold]")
    assert "3 blocks [bold]{task}[/bold]" in without_escapes(terminal.getvalue())


def until_found(_: pool.Pool, observed: Path) -> str:
    """Play three games of a match, and continue once their end was seen."""
    count_games(5)
    count_games(-2)  # of a match that was void
    while not observed.exists():
        time.sleep(0.01)
    return "whole"


def test_games_of_a_match_under_way_are_counted_before_it_is_over(tmp_path: Path) -> None:
    observed = tmp_path / "seen"
    with Tables(mode=jail.Mode.TRUSTED, workers=2) as tables:

        def look() -> None:
            if tables.games == 6:
                observed.touch()

        assert list(tables.run(until_found, [(observed,), (observed,)], on_poll=look)) == ["whole", "whole"]


def test_a_pipe_is_told_within_a_second_and_then_ever_more_seldom() -> None:
    out, now = io.StringIO(), 0.0
    result: list[float] = []
    with redirect_stderr(out), Progress(1000, clock=lambda: now) as progress:
        for tenth in range(1200):
            now = tenth / 10
            before = len(out.getvalue())
            progress.update(tenth // 2)
            result += [now] if len(out.getvalue()) > before else []
    assert result[0] < 1
    gaps = [after - before for before, after in pairwise(result)]
    assert gaps == sorted(gaps)
    assert len(result) < 10


@pytest.mark.parametrize(
    ("call", "how"),
    [
        (("ladder", "one.py", "two.py", "--blocks", 10), r"\d+/20 games"),
        (("duel", "one.py", "two.py", "--max-blocks", 10, "--elo1", 1000), r"\d+ games?(,|  )"),
        (("check", "one.py"), r"checking one\.py: \d+ s"),
        (("diff", "one.py", "two.py", "--games", 1), r"1 game, \d+ decisions, "),
    ],
    ids=["ladder", "duel", "check", "diff"],
)
def test_commands_that_play_say_how_far_they_are_before_they_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: tuple[object, ...], how: str
) -> None:
    monkeypatch.setattr(local.processes, "POLL_S", 0.01)
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(bots_kit.GOOD)
    output = command_kit.gangland(*call, "--trusted", folder=tmp_path, first_s=0.0).err.splitlines()
    assert [line for line in output if re.match(how, line)], output

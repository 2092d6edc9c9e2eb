"""Progress: a bar on a terminal, plain lines where stderr is piped, nothing with --quiet."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr

import pytest

from gangland_ladder.cli.progress import PLAIN_S, Line, Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that goes by itself, some seconds each time it is looked at."""

    def __init__(self, step_s: float) -> None:
        self.now, self.step_s = 0.0, step_s

    def __call__(self) -> float:
        self.now += self.step_s
        return self.now


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return a terminal with colours in place of stderr."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    return Terminal()


def played(stderr: io.StringIO, *, quiet: bool = False, step_s: float = 1.0) -> str:
    """Return what is shown of ten of twenty games, after five that were there before."""
    with redirect_stderr(stderr), Progress(20, 5, quiet=quiet, clock=Clock(step_s)) as progress:
        for done in range(6, 16):
            progress.reached(done)
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


def test_a_dumb_terminal_and_a_pipe_get_plain_lines_now_and_then(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    lines = played(terminal, step_s=PLAIN_S / 4).splitlines()
    assert 2 <= len(lines) < 10
    assert all(re.fullmatch(r"\d+/20 games  0 games/s  \d+ (s|min) left", line) for line in lines)

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert played(io.StringIO(), step_s=PLAIN_S / 4).splitlines() == lines


def test_quiet_says_nothing_and_neither_does_what_is_soon_over(terminal: Terminal) -> None:
    assert played(terminal, quiet=True) == ""
    assert played(io.StringIO(), step_s=0.01) == ""


def test_words_of_a_line_are_shown_as_they_are(terminal: Terminal) -> None:
    with redirect_stderr(terminal), Line(clock=Clock(1.0)) as line:
        line.show("3 blocks [bold]{task}[/bold]")
    assert "3 blocks [bold]{task}[/bold]" in without_escapes(terminal.getvalue())

"""Progress on stderr: a bar on a terminal, a plain line now and then where stderr is piped, nothing if all is quiet."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from gangland_ladder.cli.report import say

STEP_S = 0.1
"""A terminal is drawn anew at most so often."""
FIRST_S = 0.25
"""The first line is written after so long where nobody watches the cursor; the second a second later."""
PLAIN_S = 30.0
"""Each later line waits twice as long as the one before, up to this."""
BAR = 30
Clock = Callable[[], float]


class Line:
    """One line that says how far it is; use it as a context manager.

    Args:
        quiet: say nothing.
        clock: counts seconds.
    """

    def __init__(self, *, quiet: bool = False, clock: Clock = time.monotonic) -> None:
        self.drawn = not quiet and draws()
        self.plain = not quiet and not self.drawn
        self._clock = clock
        self._last = clock()
        self._wait_s = FIRST_S
        self._bar: Any = None
        self._text = ""

    def __enter__(self) -> Line:
        if self.drawn:
            self._bar = _bar(self._columns())
            self._task = self._bar.add_task("", total=None, text="", left="")
        return self

    def show(self, text: str) -> None:
        """Show this now, unless the last was shown a moment ago; to be called again and again."""
        self._text = text
        self._shown(text=text)

    def _columns(self) -> list[str]:
        return ["{task.fields[text]}"]

    def _shown(self, *, last: bool = False, **fields: Any) -> None:
        now = self._clock()
        if now - self._last < (STEP_S if self.drawn else self._wait_s) and not (last and self.drawn):
            return
        self._last, self._wait_s = now, min(PLAIN_S, max(1.0, 2 * self._wait_s))
        if self._bar is not None:
            self._bar.update(self._task, **fields)
            self._bar.start()
            self._bar.refresh()
        elif self.plain:
            say(self._text)

    def __exit__(self, *failure: object) -> None:
        if self._bar is not None:
            self._bar.stop()


class Progress(Line):
    """Games done, their rate and the time left.

    Args:
        total: how many there will be.
        already: how many were done before, which say nothing of the rate.
    """

    def __init__(
        self, total: int, already: int = 0, *, quiet: bool = False, clock: Clock = time.monotonic, what: str = "games"
    ) -> None:
        super().__init__(quiet=quiet, clock=clock)
        self.total = total
        self.already = already
        self.what = what
        self.began = clock()

    def __enter__(self) -> Progress:
        super().__enter__()
        return self

    def reached(self, done: int) -> None:
        """Show that so many are done."""
        rate = (done - self.already) / max(self._clock() - self.began, 1e-9)
        counted = f"{done}/{self.total} {self.what}"
        left = f"{rate:.0f} {self.what}/s" + (f"  {_span((self.total - done) / rate)} left" if rate else "")
        self._text = f"{counted}  {left}"
        self._shown(last=done >= self.total, completed=done, total=self.total, text=counted, left=left)

    def _columns(self) -> list[str]:
        return ["{task.fields[text]}", "bar", "{task.fields[left]}"]


def draws() -> bool:
    """Tell whether stderr is a terminal that can draw over a line."""
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb").lower() not in ("dumb", "unknown")


def _span(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def _bar(columns: list[str]) -> Any:
    """Return a bar that is drawn when it is told to: a thread that draws would be a danger to forks."""
    from rich import progress
    from rich.console import Console

    made = [
        progress.BarColumn(BAR) if column == "bar" else progress.TextColumn(column, markup=False) for column in columns
    ]
    return progress.Progress(
        *made,
        console=Console(stderr=True, highlight=False),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )

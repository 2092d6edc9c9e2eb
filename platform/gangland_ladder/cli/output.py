"""What most commands share: options of what they print, documents, tables and progress, safe for any terminal."""

from __future__ import annotations

import codecs
import errno
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated, Any, Self, SupportsFloat, TextIO

import typer

from gangland.games import GAME_NAMES
from gangland_ladder.common.runtime import FINDINGS, USAGE
from gangland_sandbox.limits import Profile

if TYPE_CHECKING:
    from gangland.story import Line as StoryLine
    from gangland_ladder.common.documents import Document

# Options of most commands.


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout instead of text.")]
Game = Annotated[
    str | None, typer.Option("--game", help=f"{' or '.join(GAME_NAMES)}; known by the bots' imports if left out.")
]
Seed = Annotated[
    int | None, typer.Option("--seed", min=0, help="The same seed gives the same dice; drawn and printed if left out.")
]
Trusted = Annotated[bool, typer.Option("--trusted", help="Play your own bots in plain subprocesses, without the jail.")]
Quiet = Annotated[
    bool, typer.Option("--quiet/--no-quiet", "-q", help="Print only errors on stderr: no progress and no notes.")
]
InProfile = Annotated[
    Profile, typer.Option("--profile", help="What bots may import and use; numeric: numpy, and more time and memory.")
]


# Documents, lines and tables.


PROGRAM = ["gangland"]
"""What this process was called as, in front of its arguments."""
TRUSTED_WARNING = "trusted mode: bots run without the jail; use it for your own bots only"


def print_json(document: Document) -> None:
    """Print a document as one line of JSON."""
    from gangland_ladder.common.documents import json_text  # it brings msgspec

    sys.stdout.write(json_text(document) + "\n")


def say(text: str) -> None:
    """Print a line for people who watch: on stderr, so that stdout holds results alone."""
    with suppress(OSError):  # what it is about goes on without
        sys.stderr.write(cleaned(text) + "\n")


def match_numbers(first: int, last: int) -> str:
    """Return which matches there are, such as "match 1" or "matches 1 to 5"."""
    return f"match {first}" if first == last else f"matches {first} to {last}"


def interrupted(after: str) -> None:
    """Say that Ctrl-C ended this, after what, and how to have it all."""
    say(f"interrupted {after}")
    say(f"again: {shlex.join([*PROGRAM, *sys.argv[1:]])}")


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = ()) -> None:
    """Print a table on stdout; the columns of `left` are text, the others numbers."""
    head, rows = [cleaned(cell) for cell in head], [[cleaned(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        cells = [
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def print_story(lines: Iterable[StoryLine]) -> None:
    """Print a game's story, round by round."""
    shown_round = 0
    for line in lines:
        if line.round != shown_round:
            shown_round = line.round
            sys.stdout.write(f"\nRound {shown_round}\n")
        sys.stdout.write(f"  {cleaned(line.text)}\n")


def figure(value: SupportsFloat | None, form: str) -> str:
    """Return a figure in its form, such as "{:.2f}"; a dash where there is none."""
    return "-" if value is None else form.format(float(value))


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share in percent; a dash where there is none."""
    return "-" if share is None else f"{100 * share:.{digits}f}%"


def signed(share: float) -> str:
    """Return a change of a share in percent, with its sign."""
    return f"{100 * share:+.1f}%"


def off(error: float | None) -> str:
    """Return a share's standard error in percent, for a column of its own; a dash where there is none."""
    return "-" if error is None else f"{100 * error:.1f}"


def cleaned(text: str) -> str:
    """Return text that came from a bot or a file on one line, with all that could deceive on a terminal made visible.

    A line break is deceit too: what follows it would pass for a line of ours.
    """
    return cleaned_lines(text).replace("\n", "\\n")


def cleaned_lines(text: str) -> str:
    """Return the same with its line breaks, for a caller who marks each line as not one of ours."""
    from gangland_sandbox.wire import clean  # it brings the engine, which few lines of help need

    return clean(text)


def one_line(text: str) -> str:
    """Return a text of several lines as one line that is safe to print."""
    return cleaned_lines(text).replace("\n", " ")


def indented(text: str) -> str:
    """Return text of a bot in a block of its own, so that none of its lines passes for one of ours."""
    return "\n".join(f"  | {line}" for line in cleaned_lines(text).split("\n"))


# Progress on stderr: a bar on a terminal, a plain line now and then where stderr is piped, nothing if all is quiet.


STEP_S = 0.1
"""A terminal is drawn at most this often."""
FIRST_S = 0.25
"""When the first line is written where nothing is drawn; the second comes a second later."""
PLAIN_S = 30.0
"""Each later line waits twice as long as the one before, up to this."""
BAR = 30
Clock = Callable[[], float]


class ProgressLine:
    """One line that says how far it is; use it as a context manager."""

    def __init__(self, *, quiet: bool = False, clock: Clock = time.monotonic) -> None:
        self.drawn = not quiet and draws()
        self.plain = not quiet and not self.drawn
        self._clock = clock
        self._last = clock()
        self._wait_s = FIRST_S
        self._bar: Any = None
        self._text = ""

    def __enter__(self) -> Self:
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


class Progress(ProgressLine):
    """Games done, their rate and the time left."""

    def __init__(
        self, total: int, already: int = 0, *, quiet: bool = False, clock: Clock = time.monotonic, what: str = "games"
    ) -> None:
        super().__init__(quiet=quiet, clock=clock)
        self.total = total
        self.already = already
        self.what = what
        self.began = clock()

    def reached(self, done: int) -> None:
        """Show how many are done."""
        rate = (done - self.already) / max(self._clock() - self.began, 1e-9)
        counted = f"{done}/{self.total} {self.what}"
        left = f"{rate:.0f} {self.what}/s" + (f"  {_span((self.total - done) / rate)} left" if rate else "")
        self._text = f"{counted}  {left}"
        self._shown(last=done >= self.total, completed=done, total=self.total, text=counted, left=left)

    def _columns(self) -> list[str]:
        return ["{task.fields[text]}", "bar", "{task.fields[left]}"]


def draws() -> bool:
    """Return whether stderr is a terminal that can draw over a line."""
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

    return progress.Progress(
        *(progress.BarColumn(BAR) if each == "bar" else progress.TextColumn(each, markup=False) for each in columns),
        console=Console(stderr=True, highlight=False),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


# Outputs that lack a character or take nothing more: escapes, and a sentence instead of a traceback.


ESCAPED = "gangland-escaped"
REFUSED = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EBADF})
"""What a disk or an output says that takes nothing more."""


@contextmanager
def careful_output() -> Iterator[None]:
    r"""Have characters that an output lacks printed as `\u00e9`, and end with a sentence if it takes nothing more."""
    codecs.register_error(ESCAPED, _escaped)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the process that started this
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (open to the end)
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=ESCAPED)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as failure:
        if not isinstance(failure, BrokenPipeError) and failure.errno not in REFUSED:
            raise
        _discard_the_rest(sys.stdout)
        if isinstance(failure, BrokenPipeError):
            sys.exit(FINDINGS)
        say(f"gangland: cannot write {failure.filename or 'the output'}: {failure.strerror}")
        sys.exit(USAGE)
    finally:
        try:
            sys.stderr.flush()
        except OSError:
            _discard_the_rest(sys.stderr)


def _escaped(failure: UnicodeError) -> tuple[str, int]:
    """Return the characters that cannot be encoded as JSON and Python write them, so that JSON stays JSON."""
    if not isinstance(failure, UnicodeEncodeError):
        raise failure
    units = failure.object[failure.start : failure.end].encode("utf-16-be", "surrogatepass")
    codes = (int.from_bytes(units[at : at + 2]) for at in range(0, len(units), 2))
    return "".join(f"\\u{code:04x}" for code in codes), failure.end


def _discard_the_rest(stream: TextIO) -> None:
    """Send what is still waiting to nowhere, or the interpreter would fail once more at its end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)

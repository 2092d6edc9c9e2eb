"""Output that most commands share: common options, documents, tables and progress, safe for any terminal."""

from __future__ import annotations

import codecs
import errno
import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated, Any, Self, SupportsFloat, TextIO

import typer
from typer.core import TyperCommand

from gangland.games import GAME_NAMES
from gangland_ladder.common.runtime import FINDINGS, USAGE
from gangland_sandbox.limits import Profile

if TYPE_CHECKING:
    from gangland.story import Line as StoryLine
    from gangland_ladder.common.documents import Document

# Options of most commands.


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
Game = Annotated[
    str | None, typer.Option("--game", help=f"{' or '.join(GAME_NAMES)}; usually known from the bots' imports.")
]
Seed = Annotated[
    int | None, typer.Option("--seed", min=0, help="The same seed gives the same dice. Drawn at random by default.")
]
Trusted = Annotated[bool, typer.Option("--trusted", help="Run bots without the jail. Only for your own bots.")]
Quiet = Annotated[
    bool,
    typer.Option("--quiet/--no-quiet", "-q", show_default=False, help="Print no progress and no notes, only errors."),
]
InProfile = Annotated[Profile, typer.Option("--profile", help="numeric allows numpy, with more time and memory.")]
SHARED = frozenset({"as_json", "quiet", "trusted", "profile", "salt", "option", "cores", "help"})


class SharedOptionsLast(TyperCommand):
    """A command whose help lists the shared options last, under "Advanced"."""

    shared = SHARED

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line, without typer's braces around required arguments."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the command's own options, then the shared ones."""
        records: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], "Advanced": []}
        for parameter in self.get_params(ctx):
            title = "Advanced" if parameter.name in self.shared else "Options"
            title = "Arguments" if parameter.param_type_name == "argument" else title
            if (record := parameter.get_help_record(ctx)) is not None:
                names = (
                    re.sub("<(int|float)( range)?>", "N", record[0]).replace("<path>", "FILE").replace("<str>", "NAME")
                )
                records[title].append((names, record[1]))
        for title, rows in records.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


# Documents, lines and tables.


CODE_DIGITS = 16  # Number of printed digits of the SHA-256 of a bot's code; documents have all of them.
PROGRAM = ["gangland"]  # The program's name in a printed command line, before its arguments.
TRUSTED_WARNING = "trusted mode: bots run without the jail; only for your own bots"


def print_json(document: Document) -> None:
    """Print a document as one line of JSON."""
    from gangland_ladder.common.documents import json_text  # imports msgspec

    sys.stdout.write(json_text(document) + "\n")


def say(text: str) -> None:
    """Print a line for people on stderr, so that stdout contains only results."""
    with suppress(OSError):  # the command continues if stderr is closed
        sys.stderr.write(clean(text) + "\n")


def match_numbers(first: int, last: int) -> str:
    """Return a range of matches as text, such as "match 1" or "matches 1 to 5"."""
    return f"match {first}" if first == last else f"matches {first} to {last}"


def say_interrupted(after: str) -> None:
    """Print that Ctrl-C ended the command, and how to repeat it."""
    say(f"interrupted {after}")
    say(f"run again: {shlex.join([*PROGRAM, *sys.argv[1:]])}")


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = ()) -> None:
    """Print a table on stdout; the columns in `left` are left-aligned text, and all others are numbers."""
    head, rows = [clean(cell) for cell in head], [[clean(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        cells = [
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def print_story(lines: Iterable[StoryLine]) -> None:
    """Print a game's story, round by round."""
    current_round = 0
    for line in lines:
        if line.round != current_round:
            current_round = line.round
            sys.stdout.write(f"\nRound {current_round}\n")
        sys.stdout.write(f"  {clean(line.text)}\n")


def figure(value: SupportsFloat | None, form: str) -> str:
    """Return a number in a format such as "{:.2f}"; a dash for None."""
    return "-" if value is None else form.format(float(value))


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share as a percentage; a dash for None."""
    return "-" if share is None else f"{100 * share:.{digits}f}%"


def signed_percent(share: float) -> str:
    """Return the change in a share as a percentage with its sign."""
    return f"{100 * share:+.1f}%"


def error_percent(error: float | None) -> str:
    """Return the standard error of a share as a percentage for a column; a dash for None."""
    return "-" if error is None else f"{100 * error:.1f}"


def clean(text: str) -> str:
    """Return text from a bot or a file as one line, with characters that could deceive on a terminal made visible."""
    # Line breaks are also replaced, because the text after a line break could be mistaken for our own output.
    return clean_lines(text).replace("\n", "\\n")


def clean_lines(text: str) -> str:
    """Return the text like `clean`, but with line breaks; the caller must mark each line as the bot's."""
    from gangland_sandbox.wire import clean  # imports the engine, which help texts do not need

    return clean(text)


def one_line(text: str) -> str:
    """Return text with several lines as one line that is safe to print."""
    return clean_lines(text).replace("\n", " ")


def indent(text: str) -> str:
    """Return a bot's text as an indented block, so that its lines cannot be mistaken for our own output."""
    return "\n".join(f"  | {line}" for line in clean_lines(text).split("\n"))


# Progress on stderr: a bar on a terminal, an occasional plain line if stderr is piped, and nothing with --quiet.


REDRAW_S = 0.1  # Minimum interval between redraws of a line.
FIRST_DELAY_S = 0.25  # Delay of the first plain line; the second one follows a second later.
MAX_INTERVAL_S = 30.0  # Maximum interval between plain lines; the interval doubles from line to line.
BAR_WIDTH = 30
Clock = Callable[[], float]


class ProgressLine:
    """A progress line, as a context manager."""

    def __init__(self, *, quiet: bool = False, clock: Clock = time.monotonic) -> None:
        self.is_drawn = not quiet and can_redraw()
        self.is_plain = not quiet and not self.is_drawn
        self._clock = clock
        self._last = clock()
        self._wait_s = FIRST_DELAY_S
        self._bar: Any = None
        self._text = ""

    def __enter__(self) -> Self:
        if self.is_drawn:
            self._bar = _bar(self._columns())
            self._task = self._bar.add_task("", total=None, text="", left="")
        return self

    def show(self, text: str) -> None:
        """Show a text unless the previous one was shown less than the minimum interval ago."""
        self._text = text
        self._update_line(text=text)

    def _columns(self) -> list[str]:
        return ["{task.fields[text]}"]

    def _update_line(self, *, last: bool = False, **fields: Any) -> None:
        now = self._clock()
        if now - self._last < (REDRAW_S if self.is_drawn else self._wait_s) and not (last and self.is_drawn):
            return
        self._last, self._wait_s = now, min(MAX_INTERVAL_S, max(1.0, 2 * self._wait_s))
        if self._bar is not None:
            self._bar.update(self._task, **fields)
            self._bar.start()
            self._bar.refresh()
        elif self.is_plain:
            say(self._text)

    def __exit__(self, *failure: object) -> None:
        if self._bar is not None:
            self._bar.stop()


class Progress(ProgressLine):
    """A progress line with the number of finished games, their rate and the remaining time."""

    def __init__(
        self, total: int, already: int = 0, *, quiet: bool = False, clock: Clock = time.monotonic, noun: str = "games"
    ) -> None:
        super().__init__(quiet=quiet, clock=clock)
        self.total = total
        self.start_count = already
        self.noun = noun
        self.start_s = clock()

    def update(self, done: int) -> None:
        """Show the number of finished games."""
        rate = (done - self.start_count) / max(self._clock() - self.start_s, 1e-9)
        counted = f"{done}/{self.total} {self.noun}"
        left = f"{rate:.0f} {self.noun}/s" + (f"  {_span((self.total - done) / rate)} left" if rate else "")
        self._text = f"{counted}  {left}"
        self._update_line(last=done >= self.total, completed=done, total=self.total, text=counted, left=left)

    def _columns(self) -> list[str]:
        return ["{task.fields[text]}", "bar", "{task.fields[left]}"]


def can_redraw() -> bool:
    """Return whether stderr is a terminal that can redraw a line."""
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb").lower() not in ("dumb", "unknown")


def _span(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def _bar(columns: list[str]) -> Any:
    # There is no refresh thread, because it would not survive a fork.
    from rich import progress
    from rich.console import Console

    bar = progress.BarColumn(BAR_WIDTH)
    return progress.Progress(
        *(bar if name == "bar" else progress.TextColumn(name, markup=False) for name in columns),
        console=Console(stderr=True, highlight=False),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


# Outputs that cannot encode a character, or are full or closed: characters are escaped, and a message is printed
# instead of a traceback.


ESCAPE_HANDLER = "gangland-escaped"
# Errors from a full disk, or from a full or closed output.
OUTPUT_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EBADF})


@contextmanager
def careful_output() -> Iterator[None]:
    r"""Escape characters that an output cannot encode, as `\u00e9`, and print a message if it is full or closed."""
    codecs.register_error(ESCAPE_HANDLER, _escape)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # the parent process closed it
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (open until exit)
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=ESCAPE_HANDLER)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError) and error.errno not in OUTPUT_ERRORS:
            raise
        _discard_the_rest(sys.stdout)
        if isinstance(error, BrokenPipeError):
            sys.exit(FINDINGS)
        say(f"gangland: cannot write {error.filename or 'the output'}: {error.strerror}")
        sys.exit(USAGE)
    finally:
        try:
            sys.stderr.flush()
        except OSError:
            _discard_the_rest(sys.stderr)


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    codes = (int.from_bytes(units[at : at + 2]) for at in range(0, len(units), 2))
    return "".join(f"\\u{code:04x}" for code in codes), error.end


def _discard_the_rest(stream: TextIO) -> None:
    # Otherwise, the interpreter would fail a second time when it flushes the output at exit.
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)

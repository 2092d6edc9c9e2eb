"""What the commands share in what they print."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, SupportsFloat

import typer

from gangland.games import GAME_NAMES
from gangland_ladder.common.runtime import FINDINGS as FINDINGS
from gangland_ladder.common.runtime import INTERRUPTED as INTERRUPTED
from gangland_ladder.common.runtime import NOT_SIGNED_IN as NOT_SIGNED_IN
from gangland_ladder.common.runtime import SERVER as SERVER
from gangland_ladder.common.runtime import USAGE as USAGE
from gangland_ladder.common.texts import counted as counted
from gangland_ladder.common.texts import several as several
from gangland_sandbox.limits import Profile

if TYPE_CHECKING:
    from gangland_ladder.common.documents import Document

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout instead of text.")]
Game = Annotated[
    str | None, typer.Option("--game", help=f"{' or '.join(GAME_NAMES)}; known by the bots' imports if left out.")
]
Seed = Annotated[
    int | None, typer.Option("--seed", min=0, help="The same seed gives the same dice; drawn and printed if left out.")
]
Trusted = Annotated[bool, typer.Option("--trusted", help="Play your own bots in plain subprocesses, without the jail.")]
Quiet = Annotated[
    bool,
    typer.Option("--quiet/--no-quiet", "-q", help="Print only errors on stderr: no progress and no notes."),
]
InProfile = Annotated[
    Profile, typer.Option("--profile", help="What bots may import and use; numeric: numpy, and more time and memory.")
]
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

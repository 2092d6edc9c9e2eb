"""`gangland explain`: the meaning, the reason and the fix of a code."""

import sys
import textwrap
from typing import Annotated

import typer

from gangland_ladder.cli import output
from gangland_ladder.common.runtime import USAGE
from gangland_ladder.documents.bots import Explain
from gangland_ladder.errors import Entry, entries, nearest

WIDTH = 96


def explain(
    code: Annotated[
        str | None, typer.Argument(metavar="[CODE]", help="Such as E203; all are listed if left out.")
    ] = None,
    as_json: output.Json = False,
) -> None:
    """Explain a code of `check`, of a match or of an upload, and how to fix it.

    Example: gangland explain E203
    """
    if code is None:
        entries_ = list(entries().values())
    elif code.upper() in entries():
        entries_ = [entries()[code.upper()]]
    else:
        near = nearest(code)
        hint = f"; did you mean {' or '.join(near)}?" if near else "."
        output.say(f"gangland: no code {code[:40]!r}{hint} `gangland explain` lists all.")
        sys.exit(USAGE)
    if as_json:
        output.print_json(Explain(entries_))
    elif code is None:
        output.print_table(("code", "title"), [(entry.code, entry.title) for entry in entries_], left=(0, 1))
    else:
        sys.stdout.write(text_of(entries_[0]))


def text_of(entry: Entry) -> str:
    """Return an entry as text for a terminal."""
    parts = [f"{entry.code}  {entry.title}"]
    parts += [
        textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
        for text in (entry.what, entry.why, f"How to fix it: {entry.mend}")
    ]
    if entry.example:
        parts.append(textwrap.indent(entry.example.strip("\n"), "      "))
    parts.append(f"  Read on: docs/{entry.page}")
    return "\n\n".join(parts) + "\n"

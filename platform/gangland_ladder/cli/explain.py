"""`gangland explain`: explain an error code, its cause and its fix."""

import sys
import textwrap
from typing import Annotated

import typer

from gangland_ladder.cli import output
from gangland_ladder.common.runtime import USAGE
from gangland_ladder.documents.bots import Explain
from gangland_ladder.errors import Entry, entries, nearest_codes

WIDTH = 80


def explain(
    code: Annotated[
        str | None, typer.Argument(metavar="[CODE]", help="A code such as E203. Without it, all codes are listed.")
    ] = None,
    as_json: output.Json = False,
) -> None:
    """Explain an error code and how to fix it.

    Codes come from `gangland check`, from matches, from uploads and from the API.

    Example: gangland explain E203
    """
    if code is None:
        entries_ = list(entries().values())
    elif code.upper() in entries():
        entries_ = [entries()[code.upper()]]
    else:
        suggestions = nearest_codes(code)
        hint = f" Did you mean {' or '.join(suggestions)}?" if suggestions else ""
        output.say(f"gangland: unknown code {code[:40]!r}.{hint} `gangland explain` lists all codes.")
        sys.exit(USAGE)
    if as_json:
        output.print_json(Explain(entries_))
    elif code is None:
        output.print_table(("code", "title"), [(entry.code, entry.title) for entry in entries_], left=(0, 1))
    else:
        sys.stdout.write(text_of(entries_[0]))


def text_of(entry: Entry) -> str:
    """Return an entry of the catalog as text for a terminal."""
    parts = [f"{entry.code}  {entry.title}"]
    parts += [
        textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
        for text in (entry.what, entry.why, f"Fix: {entry.fix}")
    ]
    if entry.example:
        parts.append(textwrap.indent(entry.example.strip("\n"), "      "))
    parts.append(f"  More: docs/{entry.page}")
    return "\n\n".join(parts) + "\n"

"""The error catalogue as a page of the documentation: docs/errors.md is what `page` returns.

`python -m gangland_ladder.errors.page` prints it.
"""

from __future__ import annotations

import sys

from gangland_ladder.errors.catalogue import Entry, entries

PARTS = {
    "E1": "Refused before anything ran",
    "E2": "Faults",
    "E3": "Refused calls of the API",
    "W3": "Warnings",
}
HEAD = """# Errors and warnings

Each finding of `gangland check`, of a match and of an upload has a code; `gangland explain E203` also prints the reason
for the rule. Codes with E1 and E2 reject a bot or cost it a game; those with E3 refuse a call of the [API](api.md);
those with W are advice of `gangland check` alone: the bot is legal, but in danger.

<!-- Made from platform/gangland_ladder/errors/catalogue.toml by `python -m gangland_ladder.errors.page`. -->
"""


def page() -> str:
    """Return the page, in Markdown."""
    found = list(entries().values())
    parts = [HEAD]
    for start, title in PARTS.items():
        parts.append(f"## {title}\n")
        parts += [_section(entry) for entry in found if entry.code.startswith(start)]
    return "\n".join(parts)


def _section(entry: Entry) -> str:
    lines = [f"### {entry.code}: {entry.title}", "", entry.what]
    lines += ["", f"**[Fix]({entry.page}):** {entry.mend}"]
    if entry.example:
        lines += ["", *(f"    {line}".rstrip() for line in entry.example.strip("\n").splitlines())]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.stdout.write(page())

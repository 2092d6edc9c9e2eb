"""The parts of the documentation that are made from the commands themselves.

`python -m gangland_ladder.cli.manual docs` writes them anew: in each page, what stands between the line
`<!-- made: NAME -->` and the line `<!-- end -->`.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Set
from itertools import groupby
from pathlib import Path
from typing import Any

from gangland_ladder.cli import schemas
from gangland_ladder.cli.commands import COMMANDS
from gangland_ladder.cli.settings import SETTINGS
from gangland_ladder.common.exits import MEANINGS

PAGES = ("command-line.md", "json.md")
COMMON = 2
"""An option that so many commands have, in the same words, is described once."""
_EXAMPLE = "Example: "
_MADE = re.compile(r"(<!-- made: (?P<name>[a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def written(page: str) -> str:
    """Return a page with its made parts as they should be."""
    return _MADE.sub(lambda found: f"{found[1]}\n{_PARTS[found['name']]()}\n{found[3]}", page)


def _commands() -> str:
    links = ", ".join(f"[`{name}`](#gangland-{name})" for name in COMMANDS)
    return f"Commands: {links}.\n"


def _exits() -> str:
    return "\n".join(["Exit codes:", "", *(f"- {code}: {meaning}" for code, meaning in MEANINGS.items()), ""])


def _settings() -> str:
    rows = ["Settings and their variables:", ""]
    for setting in SETTINGS.values():
        where = ", user file alone" if setting.private else ""
        rows.append(f"- `{setting.name}` (`{setting.variable}`{where}): {setting.help}")
    return "\n".join([*rows, ""])


def _schemas() -> str:
    rows = []
    for name in schemas.names():
        document = schemas.schema(name)
        by = [each.removeprefix("gangland ") for each in document["title"].split("; ") if each.startswith("gangland ")]
        shown = ", ".join(f"`{each.removesuffix(' --json')}`" for each in by)
        rows.append(f"- `{name}`{f' ({shown})' if by else ''}: {document['description']}")
    return "\n".join([*rows, ""])


def _sections() -> str:
    built = {name: command.build(name) for name, command in COMMANDS.items()}
    rows = Counter(_row(parameter) for command in built.values() for parameter in command.params)
    common = {row for row, times in rows.items() if times >= COMMON}
    lines = ["### Common options", "", *(row for row in rows if row in common), ""]
    return "\n".join([*lines, *(line for name, command in built.items() for line in _section(name, command, common))])


def _section(name: str, command: Any, common: Set[str]) -> Iterator[str]:
    yield f"### `gangland {name}`"
    yield ""
    paragraphs = [" ".join(paragraph.split()) for paragraph in command.help.split("\n\n")]
    for are_examples, texts in groupby(paragraphs, key=lambda text: text.startswith(_EXAMPLE)):
        if are_examples:
            yield from ["```sh", *(text.removeprefix(_EXAMPLE) for text in texts), "```", ""]
        else:
            yield from (line for text in texts for line in (text, ""))
    rows = {_row(parameter): parameter for parameter in command.params}
    yield from (row for row in rows if row not in common)
    if shared := [f"`{parameter.opts[0]}`" for row, parameter in rows.items() if row in common]:
        yield f"- [Common options](#common-options): {', '.join(shared)}."
    yield from [""] if rows else []


def _row(parameter: Any) -> str:
    names = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
    if parameter.param_type_name == "argument":
        names = f"`{parameter.metavar}`"
    elif not parameter.is_flag and parameter.metavar:
        names = f"{names} `{parameter.metavar}`"
    text = " ".join((parameter.help or "").split())
    return f"- {names}: {text}{_bounds(parameter)}"


def _bounds(parameter: Any) -> str:
    parts = []
    least, most = getattr(parameter.type, "min", None), getattr(parameter.type, "max", None)
    if least is not None or most is not None:
        parts.append(f"{least}{f' to {most}' if most is not None else ' or more'}")
    default = parameter.default
    if default is not None and not parameter.is_flag and not callable(default) and not parameter.required:
        parts.append(f"default {getattr(default, 'value', default)}")
    return f" ({'; '.join(parts)})" if parts else ""


_PARTS = {
    "commands": _commands,
    "exits": _exits,
    "settings": _settings,
    "schemas": _schemas,
    "sections": _sections,
}


def main(folder: Path) -> None:
    """Write the pages of a folder anew."""
    for name in PAGES:
        page = folder / name
        page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

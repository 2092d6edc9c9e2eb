"""The parts of the documentation that are made from the commands themselves.

`python -m gangland_ladder.cli.manual docs` writes them anew: in each page, what stands between the line
`<!-- made: NAME -->` and the line `<!-- end -->`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gangland_ladder.cli import schemas
from gangland_ladder.cli.commands import COMMANDS
from gangland_ladder.cli.settings import SETTINGS
from gangland_ladder.common.exits import MEANINGS

PAGES = ("command-line.md", "json.md")
_MADE = re.compile(r"(<!-- made: (?P<name>[a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def written(page: str) -> str:
    """Return a page with its made parts as they should be."""
    return _MADE.sub(lambda found: f"{found[1]}\n{_PARTS[found['name']]()}\n{found[3]}", page)


def _commands() -> str:
    rows = [f"| [`gangland {name}`](#gangland-{name}) | {command.help} |" for name, command in COMMANDS.items()]
    return "\n".join(["| command | what it does |", "| --- | --- |", *rows, ""])


def _exits() -> str:
    rows = [f"| {code} | {meaning} |" for code, meaning in MEANINGS.items()]
    return "\n".join(["| exit code | what it means |", "| --- | --- |", *rows, ""])


def _settings() -> str:
    rows = []
    for setting in SETTINGS.values():
        where = "user file" if setting.private else "both files"
        rows.append(f"| `{setting.name}` | `{setting.variable}` | {where} | {setting.help} |")
    return "\n".join(["| setting | variable | may stand in | what it is |", "| --- | --- | --- | --- |", *rows, ""])


def _schemas() -> str:
    rows = []
    for name in schemas.names():
        told = schemas.schema(name)
        rows.append(f"| `{name}` | {told['title']} | {told['description']} |")
    return "\n".join(["| schema | printed by | what it is |", "| --- | --- | --- |", *rows, ""])


def _sections() -> str:
    return "\n".join(line for name, command in COMMANDS.items() for line in _section(name, command.build(name)))


def _section(name: str, command: Any) -> Iterator[str]:
    yield f"### `gangland {name}`"
    yield ""
    for paragraph in command.help.split("\n\n"):
        text = " ".join(paragraph.split())
        example = text.removeprefix("Example: ")
        yield from (["```sh", example, "```"] if text != example else [text])
        yield ""
    rows = [_row(parameter) for parameter in command.params]
    yield from ["| argument or option | what it is |", "| --- | --- |", *rows, ""] if rows else []


def _row(parameter: Any) -> str:
    names = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
    if parameter.param_type_name == "argument":
        names = f"`{parameter.metavar}`"
    elif not parameter.is_flag and parameter.metavar:
        names = f"{names} `{parameter.metavar}`"
    text = " ".join((parameter.help or "").split()).replace("|", "\\|")
    return f"| {names} | {text}{_bounds(parameter)} |"


def _bounds(parameter: Any) -> str:
    told = []
    least, most = getattr(parameter.type, "min", None), getattr(parameter.type, "max", None)
    if least is not None or most is not None:
        told.append(f"{least}{f' to {most}' if most is not None else ' or more'}")
    default = parameter.default
    if default is not None and not parameter.is_flag and not callable(default) and not parameter.required:
        told.append(f"{getattr(default, 'value', default)} if left out")
    return f" ({'; '.join(told)})" if told else ""


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

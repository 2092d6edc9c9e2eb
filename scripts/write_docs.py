"""Pages of the documentation that are made from the product's own code.

    .venv/bin/python scripts/write_docs.py

It writes docs/api-calls.md, docs/bot-api.md, docs/errors.md and docs/tables.md whole; in docs/command-line.md and
docs/json.md, what is between a line `<!-- made: NAME -->` and the line `<!-- end -->`.
"""

import gc
import re
from collections import Counter
from collections.abc import Iterator, Set
from itertools import groupby
from pathlib import Path
from typing import Any

from gangland.games import GAME_NAMES, game_named
from gangland_ladder import errors
from gangland_ladder.cli import schemas
from gangland_ladder.cli.app import COMMANDS
from gangland_ladder.cli.settings import SETTINGS
from gangland_ladder.common.bot_api import ApiClass, api_of
from gangland_ladder.common.runtime import MEANINGS
from gangland_web.api.declared import ANY_TOKEN, Call
from gangland_web.api.routes import calls_by_subject
from gangland_web.queries.documentation import DOCUMENTED
from gangland_web.services.tokens import Scope

DOCS = Path(__file__).resolve().parents[1] / "docs"


def pages() -> dict[str, str]:
    """Return the pages as they should be, by file name."""
    return {
        "api-calls.md": _api_page(),
        "bot-api.md": _bot_api_page(),
        "errors.md": _error_page(),
        "tables.md": _table_page(),
        **{name: _filled((DOCS / name).read_text(encoding="utf-8")) for name in ("command-line.md", "json.md")},
    }


# The bot API: what bots are given and answer, from the engine's docstrings.

_BOT_API_HEAD = """# The bot API

Everything that a bot is given and may answer. A bot is one class, derived from the `Bot` of its game; it imports
the game from the package `gangland` and may use the standard library. Views are frozen: nothing in them can be changed.

<!-- Made by `scripts/write_docs.py`. -->
"""


def _bot_api_page() -> str:
    lines = [_BOT_API_HEAD]
    for title, game in (("In both games", None), *((game_named(name).title, name) for name in sorted(GAME_NAMES))):
        lines.append(f"## {title}\n")
        for each in api_of(game):
            lines += _class(each)
    return "\n".join(lines).rstrip() + "\n"


def _class(each: ApiClass) -> Iterator[str]:
    yield f"### `{each.path}`\n"
    yield f"{each.words}\n"
    for member in each.members:
        yield f"#### `{member.title}`\n"
        yield f"{member.words}\n"


# Errors and warnings, from the catalogue.

_ERROR_PARTS = {"E1": "Refused before anything ran", "E2": "Faults", "E3": "Refused calls of the API", "W3": "Warnings"}
_ERROR_HEAD = """# Errors and warnings

Each finding of `gangland check`, of a match and of an upload has a code; `gangland explain E203` also prints the reason
for the rule. Codes with E1 and E2 reject a bot or cost it a game; those with E3 refuse a call of the [API](api.md);
those with W are advice of `gangland check` alone: the bot is legal, but in danger.

<!-- Made from platform/gangland_ladder/errors.toml by `scripts/write_docs.py`. -->
"""


def _error_page() -> str:
    parts = [_ERROR_HEAD]
    for start, title in _ERROR_PARTS.items():
        parts.append(f"## {title}\n")
        parts += [_error(entry) for entry in errors.entries().values() if entry.code.startswith(start)]
    return "\n".join(parts)


def _error(entry: errors.Entry) -> str:
    lines = [f"### {entry.code}: {entry.title}", "", entry.what]
    lines += ["", f"**[Fix]({entry.page}):** {entry.mend}"]
    if entry.example:
        lines += ["", *(f"    {line}".rstrip() for line in entry.example.strip("\n").splitlines())]
    return "\n".join([*lines, ""])


# Calls of the API and tables of pages, from their declarations.

_API_HEAD = """# Calls of the API

Every call of `/api/v1`, by subject, with the scope of the token that it needs, if any. [The guide](api.md) says what
they share.

<!-- Made by `scripts/write_docs.py`. -->
"""
_TABLE_HEAD = """# Tables of pages

Every table and chart can be downloaded as `.csv` and `.json`, in the forms of [exports](exports.md), by everybody who
may see the page. `/schemas/NAME.1.json` has its columns; `?seats=` is the table size. [How the figures are
calculated](statistics.md).

<!-- Made by `scripts/write_docs.py`. -->
"""


def _api_page() -> str:
    parts = [_API_HEAD]
    for _, words, calls in calls_by_subject():
        parts.append(f"## {words}\n")
        parts += [_call(each.call) for each in calls] + [""]
    return "\n".join(parts)


def _call(call: Call) -> str:
    needs = call.needs.value if isinstance(call.needs, Scope) else "any token" if call.needs == ANY_TOKEN else ""
    return f"- `{call.method} {call.path or '/'}`: {call.summary}{f' ({needs})' if needs else ''}."


def _table_page() -> str:
    return "\n".join(
        [_TABLE_HEAD, *(f"- `{name}`, `{table.address}`: {table.about}" for name, table in DOCUMENTED.items()), ""]
    )


# Parts of the pages on commands, from the commands themselves.

_PART = re.compile(r"(<!-- made: (?P<name>[a-z]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_COMMON = 2
"""An option that at least this many commands have, in the same words, is described once."""
_EXAMPLE = "Example: "


def _filled(page: str) -> str:
    return _PART.sub(lambda part: f"{part[1]}\n{_PARTS[part['name']]()}\n{part[3]}", page)


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
        shown = ", ".join(f"`{each}`" for each in _short([each.removesuffix(" --json") for each in by]))
        rows.append(f"- `{name}`{f' ({shown})' if by else ''}: {document['description']}")
    return "\n".join([*rows, ""])


def _short(commands: list[str]) -> Iterator[str]:
    """Yield the commands; of one in the same group as the command before it, only the last word."""
    group = ""
    for command in commands:
        own, _, last = command.rpartition(" ")
        yield last if own and own == group else command
        group = own


def _sections() -> str:
    built = {name: command.build(name) for name, command in COMMANDS.items()}
    rows = Counter(_row(parameter) for command in built.values() for parameter in command.params)
    common = {row for row, times in rows.items() if times >= _COMMON}
    lines = ["### Common options", "", *(row for row in rows if row in common), ""]
    text = "\n".join([*lines, *(line for name, command in built.items() for line in _section(name, command, common))])
    return text.replace("```\n\n```sh\n", "")  # examples that follow each other are one block


def _section(name: str, command: Any, common: Set[str]) -> Iterator[str]:
    yield f"### `gangland {name}`"
    yield ""
    paragraphs = [" ".join(each.split()) for each in command.help.split("\n\n")]
    for are_examples, texts in groupby(paragraphs, key=lambda text: text.startswith(_EXAMPLE)):
        if are_examples:
            yield from ("```sh", *(text.removeprefix(_EXAMPLE) for text in texts), "```", "")
        else:
            yield from (line for text in texts for line in (text, ""))
    rows = {_row(parameter): parameter for parameter in command.params}
    yield from (row for row in rows if row not in common)
    if shared := [f"`{parameter.opts[0]}`" for row, parameter in rows.items() if row in common]:
        yield f"- [Common](#common-options): {', '.join(shared)}."
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


_PARTS = {"commands": _commands, "exits": _exits, "settings": _settings, "schemas": _schemas, "sections": _sections}


if __name__ == "__main__":
    for file, text in pages().items():
        (DOCS / file).write_text(text, encoding="utf-8")
    gc.freeze()  # msgspec 0.22 may crash in the interpreter's last collection, once schemas were made of many models

"""Generate pages of the documentation from the code.

    .venv/bin/python scripts/write_docs.py

It writes all of docs/bot-api.md and docs/errors.md, and the exit codes in docs/command-line.md.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from gangland.games import GAME_NAMES, game_named
from gangland_ladder import errors
from gangland_ladder.common.bot_api import ApiClass, api_of
from gangland_ladder.common.runtime import EXIT_CODE_MEANINGS

DOCS = Path(__file__).resolve().parents[1] / "docs"


def pages() -> dict[str, str]:
    """Return the current text of the pages by file name."""
    return {
        "bot-api.md": _bot_api_page(),
        "errors.md": _error_page(),
        "command-line.md": _command_page(),
    }


# The bot API: what bots are given and answer, from the engine's docstrings.

_BOT_API_HEAD = """# The bot API

Everything that a bot gets and may answer. A bot is one class, derived from the `Bot` of its game. Views are frozen.

<!-- Made by `scripts/write_docs.py`. -->
"""


def _bot_api_page() -> str:
    lines = [_BOT_API_HEAD]
    for title, game in (("In both games", None), *((game_named(name).title, name) for name in sorted(GAME_NAMES))):
        lines.append(f"## {title}\n")
        for api_class in api_of(game):
            lines += _class(api_class)
    return "\n".join(lines).rstrip() + "\n"


def _class(api_class: ApiClass) -> Iterator[str]:
    yield f"### `{api_class.path}`\n"
    yield f"{api_class.markdown}\n"
    for member in api_class.members:
        yield f"#### `{member.title}`\n"
        yield f"{member.markdown}\n"


# Errors and warnings, from the catalog.

_ERROR_PARTS = {"E1": "Refused before anything ran", "E2": "Faults", "E3": "Refused calls of the API", "W3": "Warnings"}
_ERROR_HEAD = """# Errors and warnings

`gangland explain E203` prints a code with the reason for its rule. Codes with W are advice of `gangland check`: the bot
is legal, but in danger.

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
    lines += ["", f"**[Fix]({entry.page}):** {entry.fix}"]
    if entry.example:
        lines += ["", *(f"    {line}".rstrip() for line in entry.example.strip("\n").splitlines())]
    return "\n".join([*lines, ""])


# Part of the page on commands.

_EXITS = re.compile(r"(<!-- made: exits -->\n).*?(<!-- end -->)", re.DOTALL)


def _command_page() -> str:
    codes = "\n".join(f"- {code}: {meaning}" for code, meaning in EXIT_CODE_MEANINGS.items())
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    return _EXITS.sub(lambda part: f"{part[1]}\nExit codes:\n\n{codes}\n\n{part[2]}", page)


if __name__ == "__main__":
    for file, text in pages().items():
        (DOCS / file).write_text(text, encoding="utf-8")

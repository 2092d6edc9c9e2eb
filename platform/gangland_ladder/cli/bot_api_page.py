"""The page of the documentation on what bots are given and answer, made of the engine's own docstrings.

`python -m gangland_ladder.cli.bot_api_page` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.common.bot_api import ApiClass, api_of

_HEAD = """# The bot API

Everything that a bot is given and may answer. A bot is one class, derived from the `Bot` of its game; it imports
the game from the package `gangland` and may use the standard library. Views are frozen: nothing in them can be changed.

<!-- Made by `python -m gangland_ladder.cli.bot_api_page`. -->
"""


def page() -> str:
    """Return the page as it should be."""
    lines = [_HEAD]
    for title, game in (("In both games", None), *((game_named(name).title, name) for name in sorted(GAME_NAMES))):
        lines.append(f"## {title}\n")
        for each in api_of(game):
            lines += _class(each)
    return "\n".join(lines).rstrip() + "\n"


def _class(each: ApiClass) -> Iterator[str]:
    yield f"### `{each.path}`\n"
    yield from (f"{paragraph}\n" for paragraph in each.paragraphs)
    if each.signature:
        yield f"`{each.name}{each.signature}`\n"
    if each.values:
        yield "\n".join(f"- `{each.name}.{name}` ({value})" for name, value in each.values) + "\n"
    for member in each.members:
        yield f"#### `{member.name}{member.signature}`\n"
        yield from (f"{paragraph}\n" for paragraph in member.paragraphs)


if __name__ == "__main__":
    print(page(), end="")

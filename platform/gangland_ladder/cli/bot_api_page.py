"""The page of the documentation on what bots are given and answer, made of the engine's own docstrings.

`python -m gangland_ladder.cli.bot_api_page` prints it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from typing import Any

from gangland import bot, view
from gangland.games import GAME_NAMES, game_named

_HEAD = """# The bot API

Everything that a bot is given and may answer. A bot is one class, derived from the `Bot` of its game; it imports
the game from the package `gangland` and may use the standard library. Views are frozen: nothing in them can be changed.

<!-- Made by `python -m gangland_ladder.cli.bot_api_page`. -->
"""
SHOWN: dict[str, tuple[tuple[Any, str], ...]] = {
    "In both games": (
        (bot.BaseBot, "history log data on_game_start on_game_end act"),
        (view.View, "question legal sample"),
        *((kind, "") for kind in (bot.GameStart, bot.GameEnd, bot.DecisionRequest, view.Clock)),
    ),
    **{game.title: game.api for game in map(game_named, sorted(GAME_NAMES))},
}
"""Of each part of the page the classes, and which of their members: all (*), or those named."""


def page() -> str:
    """Return the page as it should be."""
    lines = [_HEAD]
    for part, shown in SHOWN.items():
        lines.append(f"## {part}\n")
        for kind, members in shown:
            lines += _class(kind, members)
    return "\n".join(lines).rstrip() + "\n"


def _class(kind: Any, members: str) -> Iterator[str]:
    yield f"### `{'.'.join(kind.__module__.split('.')[:2])}.{kind.__name__}`\n"
    yield from _words(kind)
    if hasattr(kind, "__dataclass_fields__") and "Attributes:" not in (kind.__doc__ or "") and members != "*":
        yield f"`{kind.__name__}{_signature(kind).removesuffix(' -> None')}`\n"
    if issubclass(kind, Enum):
        yield "\n".join(f"- `{kind.__name__}.{each.name}` ({each.value})" for each in kind) + "\n"
    own = [name for name, value in vars(kind).items() if not name.startswith("_") and _is_documented(value)]
    for name in own if members == "*" else members.split():
        value = inspect.getattr_static(kind, name)
        signature = "" if isinstance(value, property) else _signature(getattr(kind, name))
        yield f"#### `{name}{signature}`\n"
        yield from _words(value.fget if isinstance(value, property) else getattr(kind, name))


def _is_documented(value: Any) -> bool:
    plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
    return isinstance(plain, property) or inspect.isfunction(plain)


def _signature(function: Any) -> str:
    text = str(inspect.signature(function))
    return re.sub(r"(?:\b[a-z_]+\.)+(?=[A-Z])", "", text).replace("'", "")


def _words(thing: Any) -> Iterator[str]:
    """Yield a docstring's paragraphs; its sections (Args, Attributes, Raises ...) become lists."""
    for paragraph in (inspect.getdoc(thing) or "").split("\n\n"):
        head, _, rest = paragraph.partition("\n")
        if re.fullmatch(r"(Args|Attributes|Returns|Raises|Yields):", head):
            items = re.split(r"\n(?=\S)", inspect.cleandoc("\n" + rest))
            entries = (re.sub(r"^(\w+): ", r"`\1`: ", " ".join(item.split())) for item in items)
            yield f"*{head}*\n\n" + "\n".join(f"- {each}" for each in entries) + "\n"
        else:
            yield paragraph + "\n"


if __name__ == "__main__":
    print(page(), end="")

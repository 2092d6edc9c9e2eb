"""What a shell completes where typer cannot know it: games, codes, schemas, and files by their kind."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from typer._click.shell_completion import CompletionItem


def games(incomplete: str) -> list[str]:
    """Return the games that begin so."""
    from gangland.games import GAME_NAMES

    return _begin(GAME_NAMES, incomplete)


def codes(incomplete: str) -> list[str]:
    """Return the codes of the error catalogue that begin so."""
    text = files("gangland_ladder").joinpath("errors.toml").read_text(encoding="utf-8")
    return _begin(re.findall(r"^\[([A-Z]\d+)\]", text, re.MULTILINE), incomplete)


def schemas(incomplete: str) -> list[str]:
    """Return the schemas whose name begins so."""
    from gangland_ladder.cli.schemas import names

    return _begin(names(), incomplete)


def bots(incomplete: str) -> list[str]:
    """Return the folders, Python files and zips that begin so; a folder ends with a slash, to go on in it."""
    return _files(incomplete, (".py", ".zip"))


def archives(incomplete: str) -> list[str]:
    """Return the folders and archives that begin so."""
    return _files(incomplete, (".tar",))


def recordings(incomplete: str) -> list[str]:
    """Return the folders, archives and files of replays or matches that begin so."""
    return _files(incomplete, (".json", ".ndjson", ".tar"))


BY_NAME: dict[str, Callable[[str], list[str]]] = {
    "game": games,
    "code": codes,
    "schema": schemas,
    **dict.fromkeys(("bots", "paths", "new", "old", "against"), bots),
    "archive": archives,
    **dict.fromkeys(("file", "files", "source"), recordings),
}
"""What completes a parameter, by its name; typer completes one that is not here, as a file or by its choices."""


def complete(command: Any) -> None:
    """Have the parameters of a command completed by their names, without words of help: typer loads rich for them."""
    for each in command.params:
        each.help = None
        if each.name in BY_NAME:
            each.shell_complete = partial(_items, BY_NAME[each.name])


def _items(offered: Callable[[str], list[str]], _ctx: Any, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in offered(incomplete)]


def _begin(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _files(incomplete: str, ends: tuple[str, ...]) -> list[str]:
    folder, name = os.path.split(incomplete)
    try:
        found = sorted(Path(folder or ".").expanduser().iterdir())
        shown = [path for path in found if path.name.startswith(name) and (name or not path.name.startswith("."))]
        return [
            os.path.join(folder, path.name) + ("/" if path.is_dir() else "")
            for path in shown
            if path.is_dir() or path.suffix in ends
        ]
    except (OSError, RuntimeError):
        return []

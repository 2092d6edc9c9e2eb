"""What a shell completes: a command's options as they are written down in parameters.json, so that none is imported.

`python -m gangland_ladder.cli.manual docs` writes that file, and a test compares it with the commands.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from importlib.resources import files
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer

DATA = "parameters.json"


def games(incomplete: str) -> list[str]:
    """Return the games that begin so."""
    from gangland.games import GAME_NAMES

    return _begin(GAME_NAMES, incomplete)


def codes(incomplete: str) -> list[str]:
    """Return the codes of the error catalogue that begin so."""
    text = files("gangland_ladder.errors").joinpath("catalogue.toml").read_text(encoding="utf-8")
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
    **dict.fromkeys(("bot", "bots", "paths", "new", "old", "against"), bots),
    "archive": archives,
    **dict.fromkeys(("file", "files", "source"), recordings),
}
"""What completes a parameter, by its name; one that is not here is completed as a file, or by its choices."""


def parameters(command: Any) -> list[dict[str, Any]]:
    """Return what is written down of a command."""
    return [
        {
            "name": each.name,
            "names": [] if each.param_type_name == "argument" else [*each.opts, *each.secondary_opts],
            "flag": bool(getattr(each, "is_flag", False)),
            "many": each.nargs != 1 or bool(getattr(each, "multiple", False)),
            "choices": [*map(str, getattr(each.type, "choices", ()))],
        }
        for each in command.params
    ]


def stand_in(name: str, context: dict[str, Any]) -> Any:
    """Return a command that has the parameters of this name's command, and does nothing."""
    written = json.loads(files("gangland_ladder.cli").joinpath(DATA).read_text(encoding="utf-8"))
    made = [_parameter(told) for told in written.get(name, [])]

    def nothing(**_: object) -> None:
        pass

    nothing.__annotations__ = {each.name: each.annotation for each in made}
    nothing.__signature__ = Signature(made)  # type: ignore[attr-defined]
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name, context_settings=context or None)(nothing)
    return typer.main.get_command(alone)


def _parameter(told: dict[str, Any]) -> Parameter:
    """Return one parameter as typer reads it from a function."""
    completed = BY_NAME.get(told["name"])
    if told["choices"]:
        completed = lambda incomplete: _begin(told["choices"], incomplete)  # noqa: E731
    kind: Any = bool if told["flag"] else list[str] | None if told["many"] else str | None
    if not told["names"]:
        declared: Any = typer.Argument(autocompletion=completed)
    elif told["flag"]:
        declared = typer.Option(_flag(told["names"]))
    else:
        declared = typer.Option(*told["names"], autocompletion=completed)
    default = False if told["flag"] else None
    return Parameter(told["name"], Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, declared])


def _flag(names: list[str]) -> str:
    on = [name for name in names if name.startswith("--") and not name.startswith("--no-")]
    off = [name for name in names if name.startswith("--no-")]
    return "/".join([*on[:1], *off[:1]])


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

"""`gangland config`: the settings that hold, and where they come from; and the schemas of what is printed as JSON."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gangland_ladder.cli import report
from gangland_ladder.cli.settings import SETTINGS, Origin, Settings, SettingsError, read, user_place

if TYPE_CHECKING:
    from gangland_ladder.documents.installations import Config, SettingRow


def config(
    show_origin: Annotated[
        bool, typer.Option("--show-origin", help="Show where each is set, and where it is overridden.")
    ] = False,
    schema: Annotated[
        str | None,
        typer.Option(
            "--schema",
            metavar="NAME",
            help="Print the JSON Schema of a document, such as gangland/ladder/1, instead.",
        ),
    ] = None,
    as_json: report.Json = False,
) -> None:
    """Print the settings in use, and where each comes from.

    Flags win over the environment, that over the project's file, and that over the user's file.

    Example: gangland config --show-origin

    Example: gangland config --schema gangland/ladder/1
    """
    if schema is not None:
        _print_schema(schema)
        return
    settings = read()
    if as_json:
        report.print_json(_document(settings))
    else:
        _print(settings, show_origin=show_origin)


def _print_schema(name: str) -> None:
    from gangland_ladder.cli import schemas

    if name not in schemas.names():
        raise SettingsError(f"there is no schema {name!r}; there are {', '.join(schemas.names())}")
    sys.stdout.write(json.dumps(schemas.schema(name), indent=2) + "\n")


def _document(settings: Settings) -> Config:
    from gangland_ladder.documents.installations import Config

    user = user_place()
    return Config(
        project_file=str(settings.project) if settings.project else None,
        user_file=str(user) if user else None,
        settings=[_row(name, settings) for name in SETTINGS],
    )


def _row(name: str, settings: Settings) -> SettingRow:
    from gangland_ladder.documents.installations import Overridden, SettingOrigin, SettingRow

    found = settings.found.get(name, [])
    return SettingRow(
        name=name,
        value=found[0][0] if found else None,
        default=SETTINGS[name].default,
        origin=SettingOrigin(found[0][1].kind, found[0][1].place) if found else None,
        overridden=[Overridden(origin.kind, origin.place, value) for value, origin in found[1:]],
    )


def _print(settings: Settings, *, show_origin: bool) -> None:
    rows = []
    for name in SETTINGS:
        found = settings.found.get(name, [])
        default = SETTINGS[name].default
        rows.append([name, _text(found[0][0]) if found else default, _where(found[0][1]) if found else "default"])
        rows += [["", _text(value), f"overridden: {_where(origin)}"] for value, origin in found[1:] if show_origin]
    head = ["setting", "value", "origin"]
    kept = slice(3 if show_origin else 2)
    report.print_table(head[kept], [row[kept] for row in rows], left=(0, 1, 2))
    if show_origin:
        user = user_place()
        report.say(f"project file: {settings.project or 'none found'}")
        report.say(f"user file: {user or 'no home to keep one in'}{'' if settings.user else ' (not there)'}")


def _where(origin: Origin) -> str:
    return f"{origin.kind}, {origin.place}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(value) if isinstance(value, list) else str(value)

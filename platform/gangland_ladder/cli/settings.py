"""`gangland config`, and settings: the defaults of many commands' options.

Flags win over the environment, the environment over the project's file, that over the user's.
Nothing secret is a setting: a token comes from the environment, the keyring or the standard input.
"""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gangland_ladder.cli import output
from gangland_ladder.common.texts import unmarked

if TYPE_CHECKING:
    from gangland_ladder.documents.installations import Config, SettingRow

# Kinds of settings: read from a file's TOML, or from a text of the environment.


class Refused(ValueError):
    """A value is not of its kind; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How to check a value; each raises Refused.

    Attributes:
        of_toml: of a value as TOML has it.
        of_text: of a text.
    """

    of_toml: Callable[[Any], Any]
    of_text: Callable[[str], Any]


def whole(least: int, most: int | None = None) -> Kind:
    """Return the kind of whole numbers in a range, bounds included."""
    wanted = f"a whole number from {least} to {most}" if most is not None else f"a whole number, {least} or more"

    def check(value: Any) -> int:
        if type(value) is not int or value < least or (most is not None and value > most):
            raise Refused(wanted)
        return int(value)

    def of_text(text: str) -> int:
        digits = text.strip()
        return check(int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 40 else None)

    return Kind(check, of_text)


def choice(allowed: Callable[[], tuple[str, ...]]) -> Kind:
    """Return the kind of one of these words, which are asked for when a value is checked."""

    def check(value: Any) -> str:
        if value not in (words := allowed()):
            raise Refused(" or ".join(map(repr, words)))
        return str(value)

    return Kind(check, lambda text: check(text.strip()))


def flag() -> Kind:
    """Return the kind of what is on or off."""
    words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}

    def check(value: Any) -> bool:
        if type(value) is not bool:
            raise Refused("true or false")
        return value

    return Kind(check, lambda text: check(words.get(text.strip().lower())))


def pairs() -> Kind:
    """Return the kind of lists of NAME=VALUE; in a text, one a space."""

    def check(value: Any) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(each, str) and "=" in each for each in value):
            raise Refused('a list of NAME=VALUE, such as ["deck=box18"]')
        return value

    return Kind(check, lambda text: check(text.split()))


def site() -> Kind:
    """Return the kind of addresses of sites."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or not value.startswith(("http://", "https://")):
            raise Refused("an address that begins with https:// (or http://)")
        return value

    return Kind(check, lambda text: check(text.strip()))


# Settings, and where they are read from.


VARIABLE = "GANGLAND_CLI_"
"""What a variable's name begins with; other names with GANGLAND_ are the server's."""
PROJECT_FILE, PYPROJECT, USER_FILE = "gangland.toml", "pyproject.toml", "config.toml"
_FILE_BYTES = 1024 * 1024


class SettingsError(ValueError):
    """A setting is unknown or wrong; the message says where, what came and what was expected."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting, which is the default of the option of its name wherever there is one.

    Attributes:
        kind: what it may be.
        default: what holds where it is not set, in words.
        private: a project's file may not set it, for it may come from somebody else.
    """

    name: str
    kind: Kind
    default: str
    help: str
    private: bool = False

    @property
    def variable(self) -> str:
        """The variable of the environment that sets it."""
        return VARIABLE + self.name.upper().replace("-", "_")


def _games() -> tuple[str, ...]:
    from gangland.games import GAME_NAMES

    return tuple(GAME_NAMES)


SETTINGS: dict[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting(
            "game", choice(_games), "told by the bots' imports", "Which game bots play whose imports do not say it."
        ),
        Setting("seats", whole(2, 4), "2", "Seats at a table."),
        Setting("blocks", whole(1, 100_000), "24", "Blocks a table of a ladder."),
        Setting("seed", whole(0), "drawn for each run", "The seed of all dice."),
        Setting("option", pairs(), "the game's own", "Options of the game; those of a call replace them all."),
        Setting("profile", choice(lambda: ("plain", "numeric")), "plain", "What bots may import and use."),
        Setting("quiet", flag(), "false", "No progress and no notes."),
        Setting("site", site(), "none", "The site that is asked and that bots are sent to.", private=True),
    )
}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a setting was set: `kind` is environment, project or user; `place` the variable, or the file's line."""

    kind: str
    place: str


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that are set.

    Attributes:
        found: of each setting that is set, its values with their origins, the one that holds first.
        project, user: the files that were read; None where there is none.
    """

    found: Mapping[str, list[tuple[Any, Origin]]]
    project: Path | None
    user: Path | None

    def value(self, name: str) -> Any:
        """Return the value that holds, None if it is not set."""
        return self.found[name][0][0] if name in self.found else None


def read(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> Settings:
    """Return the settings that hold in a folder, the working directory by default.

    Raises:
        SettingsError: one of them is unknown or wrong, or a file cannot be read.
    """
    env = os.environ if environ is None else environ
    project, user = project_file(folder or _working_folder()), user_place()
    user = user if user is not None and user.is_file() else None
    found: dict[str, list[tuple[Any, Origin]]] = {}
    levels = [_of_environment(env)]
    levels += [_of_file(project, "project")] if project else []
    levels += [_of_file(user, "user")] if user else []
    for name, value, origin in (each for level in levels for each in level):
        found.setdefault(name, []).append((value, origin))
    return Settings({name: found[name] for name in SETTINGS if name in found}, project, user)


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise SettingsError(f"the folder that this runs in cannot be found: {error.strerror}") from error


def defaults_of(parameters: Iterable[Any], settings: Settings) -> dict[str, Any]:
    """Return the settings that a command's options take, by parameter."""
    return {
        parameter.name: settings.value(parameter.name)
        for parameter in parameters
        if parameter.name in settings.found and f"--{parameter.name}" in parameter.opts
    }


def in_call(context: Any, name: str) -> bool:
    """Return whether an option was given in the call itself; a setting may be there for other commands."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def project_file(folder: Path) -> Path | None:
    """Return the project's file, searched from a folder upward: gangland.toml, or [tool.gangland] in pyproject.toml.

    Raises:
        SettingsError: both are there, and it cannot be told which is meant.
    """
    for place in (folder, *folder.parents):
        own, shared = place / PROJECT_FILE, place / PYPROJECT
        has_table = shared.is_file() and _table(shared, "project") is not None
        if own.is_file() and has_table:
            raise SettingsError(f"{own} and [tool.gangland] in {shared}: settings stand in one of them, not in both")
        if own.is_file():
            return own
        if has_table:
            return shared
    return None


def user_place() -> Path | None:
    """Return where the user's own file is or would be; None for a user without a home."""
    import platformdirs

    folder = platformdirs.user_config_path("gangland", appauthor=False)
    return folder / USER_FILE if folder.is_absolute() else None


def _of_environment(env: Mapping[str, str]) -> list[tuple[str, Any, Origin]]:
    by_variable = {setting.variable: setting for setting in SETTINGS.values()}
    found = []
    for variable, text in sorted(env.items()):
        if not variable.startswith(VARIABLE) or not text:
            continue
        if variable not in by_variable:
            raise SettingsError(f"{variable}: no such setting; there are {', '.join(by_variable)}")
        setting = by_variable[variable]
        value = _checked(setting.kind.of_text, text, variable)
        found.append((setting.name, value, Origin("environment", variable)))
    return found


def _of_file(file: Path, level: str) -> list[tuple[str, Any, Origin]]:
    table = _table(file, level) or {}
    found = []
    for name, value in table.items():
        where = f"{file}{_line_of(file, name)}"
        if (setting := SETTINGS.get(name)) is None:
            raise SettingsError(f"{where}: there is no setting {name!r}{_meant(name)}; there are {', '.join(SETTINGS)}")
        if setting.private and level == "project":
            raise SettingsError(
                f"{where}: {name} is not for a project's file, which may come from somebody else; "
                f"set it in {user_place() or 'the user file'} or as {setting.variable}"
            )
        found.append((name, _checked(setting.kind.of_toml, value, f"{where}: {name}"), Origin(level, where)))
    return found


def _checked(check: Callable[[Any], Any], value: Any, where: str) -> Any:
    try:
        return check(value)
    except Refused as refused:
        raise SettingsError(f"{where} is {str(value)[:80]!r}, but must be {refused}") from refused


def _table(file: Path, level: str) -> dict[str, Any] | None:
    """Return the settings of a file as they stand there; None of a pyproject.toml that has none."""
    text = _file_text(file)
    if file.name == PYPROJECT and level == "project" and "gangland" not in text:
        return None
    try:
        content = _parsed(text)
    except RecursionError as error:
        raise SettingsError(f"{file} is not TOML that can be read: it is nested too deeply") from error
    except ValueError as error:  # also of a number with thousands of digits
        raise SettingsError(f"{file} is not TOML: {error}") from error
    if file.name != PYPROJECT or level == "user":
        return content
    tool = content.get("tool")
    table = tool.get("gangland") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{file}: tool.gangland must be a table, [tool.gangland]")
    return table


@lru_cache(maxsize=4)
def _parsed(text: str) -> dict[str, Any]:
    """Return TOML as tables; a command asks for its settings several times."""
    return tomllib.loads(text)


def _file_text(file: Path) -> str:
    try:
        if file.stat().st_size > _FILE_BYTES:
            raise SettingsError(f"{file} is longer than {_FILE_BYTES} bytes, which no file of settings is")
        return unmarked(file.read_bytes()).decode()
    except OSError as error:
        raise SettingsError(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{file} is not UTF-8: {error.reason} at byte {error.start}") from error


def _line_of(file: Path, name: str) -> str:
    """Return `, line N`, where a setting stands in a file; nothing if it is written in a way not looked for."""
    wanted = "tool.gangland" if file.name == PYPROJECT else ""
    table = ""
    for number, line in enumerate(_file_text(file).splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            table = stripped.strip("[] ").replace(" ", "")
            key = table.rpartition(".")[2]
            if table == f"{wanted}.{name}".lstrip(".") and key == name:
                return f", line {number}"
        elif table == wanted and stripped.partition("=")[0].partition(".")[0].strip(" \"'") == name:
            return f", line {number}"
    return ""


def _meant(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, SETTINGS, 1)
    return f", did you mean {close[0]!r}?" if close else ""


# The command `gangland config`: the settings that hold with their origins, and the schemas of JSON output.


def config(
    show_origin: Annotated[
        bool, typer.Option("--show-origin", help="Show where each is set, and where it is overridden.")
    ] = False,
    schema: Annotated[
        str | None,
        typer.Option(
            "--schema", metavar="NAME", help="Print the JSON Schema of a document, such as gangland/ladder/1, instead."
        ),
    ] = None,
    as_json: output.Json = False,
) -> None:
    """Print the settings in use, and where each comes from.

    Flags win over the environment, that over the project's file, and that over the user's file.

    Example: gangland config --show-origin

    Example: gangland config --schema gangland/ladder/1
    """
    if schema is not None:
        _print_schema(schema)
        return
    if as_json:
        output.print_json(_document(read()))
    else:
        _print(read(), show_origin=show_origin)


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
    output.print_table(head[kept], [row[kept] for row in rows], left=(0, 1, 2))
    if show_origin:
        user = user_place()
        output.say(f"project file: {settings.project or 'none found'}")
        output.say(f"user file: {user or 'no home to keep one in'}{'' if settings.user else ' (not there)'}")


def _where(origin: Origin) -> str:
    return f"{origin.kind}, {origin.place}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(value) if isinstance(value, list) else str(value)

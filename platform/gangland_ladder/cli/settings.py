"""`gangland config`, and the settings, which are default values for the options of many commands."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer._click.types import BOOL, FuncParamType, IntRange, ParamType
from typer._types import TyperChoice as Choice

from gangland.games import GAME_NAMES
from gangland_ladder.cli import output
from gangland_ladder.common.texts import strip_bom
from gangland_sandbox.limits import Profile

if TYPE_CHECKING:
    from gangland_ladder.documents.installations import Config, SettingRow

# A flag overrides the environment, which overrides the project's file, which overrides the user's file. The settings
# become click's default map for the command that runs. Secrets are never settings: a token comes from the environment,
# the keyring or standard input.

VARIABLE_PREFIX = "GANGLAND_CLI_"  # Variables that begin with only GANGLAND_ are for the server.
PROJECT_FILE, PYPROJECT, USER_FILE = "gangland.toml", "pyproject.toml", "config.toml"
_FILE_BYTES = 1024 * 1024


class SettingsError(ValueError):
    """A setting is unknown or invalid; the message includes its place, its value and the expected form."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting, which is the default of options with this name."""

    name: str
    type: ParamType
    default: str  # the default, as text
    help: str
    is_private: bool = False  # whether project files must not set it, because other authors may have written them
    is_list: bool = False  # whether its value is a list, whose items are separated by spaces in a variable
    commands: tuple[str, ...] = ()  # the only commands that use it as a default; empty for every command

    @property
    def variable(self) -> str:
        """The name of its environment variable."""
        return VARIABLE_PREFIX + self.name.upper()

    def convert(self, value: Any) -> Any:
        """Return a value converted to the option's type. Raises typer.BadParameter: it cannot be converted."""
        if not self.is_list:
            return self.type.convert(str(value).strip(), None, None)
        if not isinstance(value, list):
            raise typer.BadParameter(f'expected a list such as ["deck=box18"], not {value!r}')
        return [self.type.convert(str(item), None, None) for item in value]


def _pair(text: str) -> str:
    if "=" not in text:
        raise typer.BadParameter(f"expected NAME=VALUE, such as deck=box18, not {text!r}")
    return text


def _site(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise typer.BadParameter(f"expected a URL such as https://gangland.example, not {text!r}")
    return text


SETTINGS: dict[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting(
            "game",
            Choice(GAME_NAMES),
            "from the bots' imports",
            "The game, if a bot's imports do not decide it.",
            commands=("new", "rate"),  # commands with bots use it only if the bots' imports do not decide the game
        ),
        Setting("seats", IntRange(2, 4), "2", "Seats per table."),
        Setting("blocks", IntRange(1, 100_000), "24", "Blocks per table of a ladder.", commands=("ladder",)),
        Setting("seed", IntRange(0), "random", "The seed of the dice."),
        Setting(
            "option",
            FuncParamType(_pair),
            "the game's own",
            "Options of the game. Options on the command line replace them all.",
            is_list=True,
        ),
        Setting("profile", Choice([*Profile]), "plain", "numeric allows numpy."),
        Setting("quiet", BOOL, "false", "Print no progress and no notes."),
        Setting("site", FuncParamType(_site), "none", "The site for `submit` and `doctor`.", is_private=True),
    )
}


@dataclass(frozen=True, slots=True)
class Value:
    """A setting's value and its source: `kind` is environment, project or user; `place` is the variable or the line."""

    name: str
    value: Any
    kind: str
    place: str


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of all settings from the environment, the project and the user, in this order of precedence."""

    values: list[Value]
    project: Path | None
    user: Path | None

    def levels(self, name: str) -> list[Value]:
        """Return all values of a setting, starting with the effective one."""
        return [value for value in self.values if value.name == name]

    def value(self, name: str) -> Any:
        """Return the effective value; None if the setting has no value."""
        return next((value.value for value in self.levels(name)), None)


def read(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> Settings:
    """Return the settings that apply in a folder. Raises SettingsError: one is invalid, or a file is unreadable."""
    project, user = _project_file(folder or _working_folder()), user_path()
    user_file = _load(user) if user is not None and user.is_file() else None
    values = [
        *_environment_values(os.environ if environ is None else environ),
        *(_file_values(project, "project") if project else ()),
        *(_file_values(user_file, "user") if user_file else ()),
    ]
    return Settings(values, project.path if project else None, user_file.path if user_file else None)


def set_defaults(context: Any, name: str | None, command: Any) -> None:
    """Use the settings as click's default map for a command's options."""
    values = {row.name: row.value for row in reversed(read().values)}
    names = [option.name for option in command.params if _has_default(name, option)]
    context.default_map = {name: {option: values[option] for option in names if option in values}}


def _has_default(command: str | None, option: Any) -> bool:
    setting = SETTINGS.get(option.name)
    if setting is None or f"--{option.name}" not in option.opts:
        return False
    return not setting.commands or command in setting.commands


def is_given(context: Any, name: str) -> bool:
    """Return whether an option is on the command line, and not only a setting, which may be for other commands."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def user_path() -> Path | None:
    """Return the path of the user's file, even if it does not exist; None for a user without a home."""
    import platformdirs

    folder = platformdirs.user_config_path("gangland", appauthor=False)
    return folder / USER_FILE if folder.is_absolute() else None


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise SettingsError(f"cannot find the current folder: {error.strerror}") from error


def _environment_values(env: Mapping[str, str]) -> Iterator[Value]:
    names = {setting.variable: name for name, setting in SETTINGS.items()}
    for variable, text in sorted(env.items()):
        if variable.startswith(VARIABLE_PREFIX) and text:
            setting = _setting(names.get(variable, variable.removeprefix(VARIABLE_PREFIX)), variable)
            yield _value(setting, text.split() if setting.is_list else text, "environment", variable)


def _file_values(file: _File, kind: str) -> Iterator[Value]:
    for name, value in (file.table or {}).items():
        place = f"{file.path}{file.line_of(name)}"
        setting = _setting(name, place)
        if setting.is_private and kind == "project":
            raise SettingsError(
                f"{place}: {name} is not allowed in a project file. "
                f"Set it in {user_path() or 'the user file'} or as {setting.variable}."
            )
        yield _value(setting, value, kind, place)


def _setting(name: str, place: str) -> Setting:
    if (setting := SETTINGS.get(name)) is None:
        near = get_close_matches(name, SETTINGS, 1)
        suggestion = f" Did you mean {near[0]!r}?" if near else ""
        raise SettingsError(f"{place}: unknown setting {name!r}.{suggestion} Expected one of {', '.join(SETTINGS)}.")
    return setting


def _value(setting: Setting, value: Any, kind: str, place: str) -> Value:
    try:
        return Value(setting.name, setting.convert(value), kind, place)
    except typer.BadParameter as error:
        raise SettingsError(f"{place}: {setting.name}: {error.message}") from error


@dataclass(frozen=True, slots=True)
class _File:
    """A file of settings; `table` is None for a pyproject.toml without a table of settings."""

    path: Path
    text: str
    table: dict[str, Any] | None

    def line_of(self, name: str) -> str:
        """Return `, line N` for a setting; "" if the line cannot be found."""
        table_name = "tool.gangland" if self.path.name == PYPROJECT else ""
        table = ""
        for number, line in enumerate(self.text.splitlines(), 1):
            stripped = line.strip()
            if stripped.startswith("["):
                table = stripped.strip("[] ").replace(" ", "")
                if table == f"{table_name}.{name}".lstrip("."):
                    return f", line {number}"
            elif table == table_name and stripped.partition("=")[0].partition(".")[0].strip(" \"'") == name:
                return f", line {number}"
        return ""


def _project_file(folder: Path) -> _File | None:
    """Return the project's file, searched upward from a folder: gangland.toml, or [tool.gangland] in pyproject.toml."""
    for place in (folder, *folder.parents):
        own, shared = (_load(file) if file.is_file() else None for file in (place / PROJECT_FILE, place / PYPROJECT))
        shared = shared if shared is not None and shared.table is not None else None
        if own and shared:
            raise SettingsError(
                f"two settings files in one folder: {own.path} and [tool.gangland] in {shared.path}; keep one"
            )
        if own or shared:
            return own or shared
    return None


def _load(path: Path) -> _File:
    try:
        if path.stat().st_size > _FILE_BYTES:
            raise SettingsError(f"{path} is too long: expected at most {_FILE_BYTES} bytes")
        text = strip_bom(path.read_bytes()).decode()
        table: Any = tomllib.loads(text) if path.name != PYPROJECT or "gangland" in text else {}
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from error
    except RecursionError as error:
        raise SettingsError(f"{path} is not TOML: nested too deeply") from error
    except ValueError as error:  # includes numbers with thousands of digits
        raise SettingsError(f"{path} is not TOML: {error}") from error
    if path.name == PYPROJECT:
        tool = table.get("tool")
        table = tool.get("gangland") if isinstance(tool, dict) else None
        if not isinstance(table, dict | None):
            raise SettingsError(f"{path}: expected a table [tool.gangland]")
    return _File(path, text, table)


# The command `gangland config`: the effective settings with their sources, and the schemas of JSON output.


def config(
    show_origin: Annotated[bool, typer.Option("--show-origin", help="Show where each is set and overridden.")] = False,
    schema: Annotated[
        str | None,
        typer.Option(
            "--schema", metavar="NAME", help="Print the JSON Schema of a document, such as gangland/ladder/1."
        ),
    ] = None,
    as_json: output.Json = False,
) -> None:
    """Print the settings in use and where each comes from.

    Options override environment variables, which override the project file, which overrides the user file.

    Example: gangland config --show-origin

    Example: gangland config --schema gangland/ladder/1
    """
    if schema is not None:
        from gangland_ladder.cli import schemas

        if schema not in schemas.names():
            raise SettingsError(f"unknown schema {schema!r}: expected one of {', '.join(schemas.names())}")
        sys.stdout.write(json.dumps(schemas.schema(schema), indent=2) + "\n")
        return
    if as_json:
        output.print_json(_document(read()))
    else:
        _print(read(), show_origin=show_origin)


def _document(settings: Settings) -> Config:
    from gangland_ladder.documents.installations import Config

    user = user_path()
    return Config(
        project_file=str(settings.project) if settings.project else None,
        user_file=str(user) if user else None,
        settings=[_row(name, settings) for name in SETTINGS],
    )


def _row(name: str, settings: Settings) -> SettingRow:
    from gangland_ladder.documents.installations import OverriddenValue, SettingOrigin, SettingRow

    levels = settings.levels(name)
    return SettingRow(
        name=name,
        value=settings.value(name),
        default=SETTINGS[name].default,
        origin=SettingOrigin(levels[0].kind, levels[0].place) if levels else None,
        overridden=[OverriddenValue(level.kind, level.place, level.value) for level in levels[1:]],
    )


def _print(settings: Settings, *, show_origin: bool) -> None:
    rows = []
    for name, setting in SETTINGS.items():
        levels = settings.levels(name)
        rows += [[name, _text(level.value), f"{level.kind}, {level.place}"] for level in levels[:1]]
        rows += [] if levels else [[name, setting.default, "default"]]
        if show_origin:
            rows += [["", _text(level.value), f"overridden: {level.kind}, {level.place}"] for level in levels[1:]]
    head = ["setting", "value", "origin"]
    columns = slice(3 if show_origin else 2)
    output.print_table(head[columns], [row[columns] for row in rows], left=(0, 1, 2))
    if show_origin:
        output.say(f"project file: {settings.project or 'none'}")
        output.say(f"user file: {user_path() or 'none, no home folder'}{'' if settings.user else ' (does not exist)'}")


def _text(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)

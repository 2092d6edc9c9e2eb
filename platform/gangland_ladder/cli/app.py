"""The command line: its commands, shell completion, and the entry point."""

import atexit
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import typer
from typer._click.shell_completion import CompletionItem
from typer.core import TyperCommand, TyperGroup

from gangland_ladder.cli.output import SharedOptionsLast, careful_output, say, say_interrupted
from gangland_ladder.common import runtime
from gangland_ladder.common.runtime import FINDINGS, INTERRUPTED, SERVER, USAGE

# The commands: for each one, the function that defines it and a line of help.
#
# A command's module is imported only when the command is run or completed, or when its help is shown.


@dataclass(frozen=True, slots=True)
class Command:
    """A command of `gangland`."""

    target: str  # its module in this folder and its function, as `module:function`
    help: str  # the first sentence of the function's docstring; a test compares them
    exit_codes: Mapping[int, str]  # its exit codes, except those that all commands share
    has_raw_arguments: bool = False  # whether the command gets its arguments unparsed

    @property
    def exit_text(self) -> str:
        """The line about exit codes at the end of the command's help."""
        codes = {USAGE: "wrong usage or setup", INTERRUPTED: "interrupted", **self.exit_codes}
        return f"Exit codes: {', '.join(f'{code} {codes[code]}' for code in sorted(codes))}."

    def build(self, name: str) -> Any:
        """Import the command, and return it as a click command for the group."""
        module, function = self.target.split(":")
        context = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
        program = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
        register = program.command(
            name,
            cls=SharedOptionsLast,
            epilog=self.exit_text,
            context_settings=context if self.has_raw_arguments else None,
        )
        register(getattr(import_module(f"gangland_ladder.cli.{module}"), function))
        return typer.main.get_command(program)


GROUPS: dict[str, dict[str, Command]] = {
    "Start": {
        "new": Command("new:new", "Create a folder with a first bot, its test and a README.", {0: "created"}),
        "check": Command(
            "check:check",
            "Check a bot as the server does: file, import, decisions and time.",
            {0: "accepted", FINDINGS: "problems"},
        ),
        "explain": Command("explain:explain", "Explain an error code and how to fix it.", {0: "explained"}),
        "play": Command(
            "play:play", "Play one game and describe it in words.", {0: "no fault", FINDINGS: "a bot was at fault"}
        ),
        "submit": Command(
            "submit:submit",
            "Upload a bot to a site and follow it until it plays.",
            {
                0: "it plays, or is uploaded (--no-wait)",
                FINDINGS: "refused, rejected or replaced",
                SERVER: "network or server failed",
                runtime.NOT_SIGNED_IN: "no valid token",
            },
        ),
    },
    "Improve": {
        "ladder": Command(
            "ladder:ladder", "Play all bots against each other and print the standings.", {0: "played, faults included"}
        ),
        "duel": Command(
            "duel:duel", "Play NEW against OLD until it is clear which is better.", {0: "played, faults included"}
        ),
        "diff": Command(
            "diff:diff",
            "List the decisions in which NEW differs from OLD.",
            {0: "none differs", FINDINGS: "some differ"},
        ),
        "analyze": Command(
            "analyze:analyze",
            "Show luck and the cost of each decision in recorded games.",
            {0: "analyzed", FINDINGS: "a replay is not valid"},
        ),
    },
    "Replays": {
        "replay": Command("replay:replay", "Watch a recorded game.", {0: "valid", FINDINGS: "the replay is not valid"}),
        "verify": Command(
            "verify:verify",
            "Replay recorded games and check every result.",
            {0: "verified", FINDINGS: "a check failed"},
        ),
        "reproduce": Command(
            "reproduce:reproduce",
            "Play a recorded match again and compare every decision.",
            {0: "as recorded", FINDINGS: "something differs"},
        ),
        "import": Command(
            "import_:import_",
            "Verify recorded games and write them as replays and tables.",
            {0: "all imported", FINDINGS: "some left out"},
        ),
    },
    "Server": {
        "up": Command(
            "server:up",
            "Run the whole site on this machine until Ctrl-C.",
            {0: "stopped by Ctrl-C", INTERRUPTED: "interrupted before it started"},
        ),
        "doctor": Command(
            "server:doctor",
            "Test the jail and show how to fix what fails.",
            {0: "all probes passed", FINDINGS: "a probe failed", SERVER: "no site answers"},
        ),
        "admin": Command(
            "server:admin",
            "Manage an installation from a shell on its server.",
            {0: "done", FINDINGS: "a check failed", SERVER: "no database"},
            has_raw_arguments=True,
        ),
        "config": Command("settings:config", "Print the settings in use and where each comes from.", {0: "printed"}),
        "rate": Command(
            "rate:rate",
            "Compute ratings from a results file.",
            {0: "rated", FINDINGS: "--rebuild changed a rating", SERVER: "no database"},
        ),
    },
}
COMMANDS: dict[str, Command] = {name: command for group in GROUPS.values() for name, command in group.items()}


class Commands(TyperGroup):
    """The group of all commands; a command is imported only when it is called or completed, or its help is shown."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the commands' names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command with this name, or None."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            command = COMMANDS[cmd_name].build(cmd_name)
            if ctx.resilient_parsing:  # a shell is completing the line
                complete(command)
            self.add_command(command, cmd_name)
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each group of commands with one line of help per command, without importing the commands."""
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name.ljust(max(map(len, COMMANDS))), command.help) for name, command in commands.items()]
                )

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that was called; the settings become the defaults of its options."""
        name, command, rest = super().resolve_command(ctx, _check_spelling(ctx, args))
        wants_help = "--help" in (rest[: rest.index("--")] if "--" in rest else rest)
        if command is not None and not ctx.resilient_parsing and not wants_help:
            # Settings are read only for a command that runs, so that help works even if the settings file is broken.
            from gangland_ladder.cli.settings import set_defaults

            set_defaults(ctx, name, command)
        return name, command, rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command; if Ctrl-C ends it, print the command line that repeats it."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            say_interrupted("before the first result")
            raise typer.Exit(INTERRUPTED) from None

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete a command's name, without importing any command."""
        for name in COMMANDS:
            self.add_command(TyperCommand(name, rich_markup_mode=None), name)  # with help text, typer would load rich
        return super().shell_complete(ctx, incomplete)


def _check_spelling(ctx: Any, args: list[str]) -> list[str]:
    if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
        from difflib import get_close_matches

        close = get_close_matches(args[0], COMMANDS)
        hint = f"did you mean {' or '.join(close)}?" if close else "`gangland --help` lists them"
        ctx.fail(f"no command {args[0]!r}: {hint}")
    return args


# The entry point.


app = typer.Typer(
    name="gangland",
    cls=Commands,
    help="Bot-writing competitions in dice games.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(is_set: bool) -> None:
    if is_set:
        from gangland import __version__
        from gangland.compiled import engine_kind

        sys.stdout.write(f"gangland {__version__} (engine: {engine_kind()})\n")
        raise typer.Exit


@app.callback()
def _gangland(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line and exit with its code."""
    runtime.calculate_on_one_thread()
    try:
        with careful_output():
            try:
                app()
            except KeyboardInterrupt:
                _stop("interrupted", INTERRUPTED)
            except Exception as error:
                if not (lines := _error_lines(error)):
                    raise
                _stop(lines[0], USAGE, *lines[1:])
    except KeyboardInterrupt:  # a second Ctrl-C while the first one was being handled
        _ignore_interrupts()
        _stop("interrupted", INTERRUPTED)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            _ignore_interrupts()
        raise


def _ignore_interrupts() -> None:
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


def _error_lines(error: Exception) -> list[str]:
    """Return the lines of the message about an expected error; an empty list if the error is a bug."""
    from gangland_ladder.cli.settings import SettingsError

    if isinstance(error, SettingsError | runtime.ExtraMissing):
        return [str(error)]
    from gangland_ladder.local.bots import InvalidArgument
    from gangland_ladder.local.processes import TableFailure
    from gangland_ladder.local.store import StoreError
    from gangland_sandbox.errors import SandboxError

    if isinstance(error, InvalidArgument | StoreError):
        return [str(error)]
    if isinstance(error, SandboxError):
        return [f"platform fault: {error}", "No bot is to blame. Run `gangland doctor` to find the cause."]
    return [f"platform fault: {error}"] if isinstance(error, TableFailure) else []


def _stop(message: str, code: int, *details: str) -> None:
    for line in (f"gangland: {message}", *details):
        say(line)
    sys.exit(code)


# Completion of values that typer does not know: games, codes, schemas, and files by type.


def games(incomplete: str) -> list[str]:
    """Return the games whose names begin with this text."""
    from gangland.games import GAME_NAMES

    return _names_with_prefix(GAME_NAMES, incomplete)


def codes(incomplete: str) -> list[str]:
    """Return the codes in the error catalog that begin with this text."""
    text = files("gangland_ladder").joinpath("errors.toml").read_text(encoding="utf-8")
    return _names_with_prefix(re.findall(r"^\[([A-Z]\d+)\]", text, re.MULTILINE), incomplete)


def schemas(incomplete: str) -> list[str]:
    """Return the schemas whose names begin with this text."""
    from gangland_ladder.cli.schemas import names

    return _names_with_prefix(names(), incomplete)


def _names_with_prefix(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _files(incomplete: str, ends: tuple[str, ...]) -> list[str]:
    """Return the folders, with a trailing slash, and the files with these extensions, that begin with this text."""
    folder, name = os.path.split(incomplete)
    try:
        paths = sorted(Path(folder or ".").expanduser().iterdir())
        return [
            os.path.join(folder, path.name) + ("/" if path.is_dir() else "")
            for path in paths
            if path.name.startswith(name)
            and (name or not path.name.startswith("."))
            and (path.is_dir() or path.suffix in ends)
        ]
    except (OSError, RuntimeError):
        return []


# Functions that complete parameters with these names; typer completes all others, as files or by their choices.
COMPLETIONS: dict[str, Callable[[str], list[str]]] = {
    "game": games,
    "code": codes,
    "schema": schemas,
    **dict.fromkeys(("bots", "paths", "new", "old", "against"), partial(_files, ends=(".py", ".zip"))),
    "archive": partial(_files, ends=(".tar",)),
    **dict.fromkeys(("file", "files", "source"), partial(_files, ends=(".json", ".ndjson", ".tar"))),
}


def complete(command: Any) -> None:
    """Set how a command's parameters are completed, and drop their help text, for which typer would load rich."""
    for parameter in command.params:
        parameter.help = None
        if parameter.name in COMPLETIONS:
            parameter.shell_complete = partial(_completion_items, COMPLETIONS[parameter.name])


def _completion_items(names: Callable[[str], list[str]], _context: Any, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names(incomplete)]

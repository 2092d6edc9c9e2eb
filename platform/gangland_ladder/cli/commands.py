"""Every command: where it is and what it does, in one line.  A command is imported when it is used or completed, and
no other with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from gangland_ladder.common.runtime import INTERRUPTED

PASSED_ON = MappingProxyType(
    {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
)
"""For a command whose arguments another program reads."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of `gangland`.

    Attributes:
        place: its module and function, as in `package.module:function`.
        help: the first sentence of the function's docstring, which a test compares.
        context: settings of its context, as typer takes them.
    """

    place: str
    help: str
    context: Mapping[str, Any] = field(default_factory=dict)

    def build(self, name: str) -> Any:
        """Import the command and return it as the group's member."""
        module, function = self.place.split(":")
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
        alone.command(name, context_settings=dict(self.context) or None)(getattr(import_module(module), function))
        return typer.main.get_command(alone)


_CLI = "gangland_ladder.cli"
COMMANDS: dict[str, Command] = {
    "new": Command(
        f"{_CLI}.new:new", "Create a folder with a legal bot, a test that passes and a page that says what to do next."
    ),
    "check": Command(f"{_CLI}.check:check", "Check a bot as the server does: intake, import, legal decisions, time."),
    "explain": Command(
        f"{_CLI}.explain:explain", "Explain a code of `check`, of a match or of an upload, and how to fix it."
    ),
    "play": Command(
        f"{_CLI}.play:play", "Play one game in the jail and describe it in words; exit 1 if a bot was at fault."
    ),
    "ladder": Command(
        f"{_CLI}.ladder:ladder",
        "Play every table of the bots on mirrored dice, in the jail, and print the standings.",
    ),
    "duel": Command(
        f"{_CLI}.duel:duel",
        "Play NEW against OLD on mirrored dice until it is known whether NEW is better, and no longer.",
    ),
    "diff": Command(
        f"{_CLI}.diff:diff",
        "List where NEW would decide differently than OLD in recorded games; exit 1 if it would anywhere.",
    ),
    "analyse": Command(
        f"{_CLI}.analyse:analyse",
        "Say what was luck in recorded games, and which decisions cost the bots how much of a win.",
    ),
    "replay": Command(f"{_CLI}.replay:replay", "Watch a recorded game, if it comes out as recorded; exit 1 if not."),
    "verify": Command(
        f"{_CLI}.verify:verify",
        "Play recorded games again and say whether they come out as recorded; exit 1 if one does not.",
    ),
    "reproduce": Command(
        f"{_CLI}.reproduce:reproduce",
        "Play a match again and name the first decision that is not as recorded; exit 1 if there is one.",
    ),
    "rate": Command(f"{_CLI}.rate:rate", "Compute ratings from results, in their order as far as none is missing."),
    "import": Command(
        f"{_CLI}.import_:import_",
        "Verify recorded games and write them into a folder: replays to watch, and tables to analyse.",
    ),
    "submit": Command(
        f"{_CLI}.submit:submit",
        "Upload a bot to a site and follow it until it plays there; exit 1 if it is refused, rejected or withdrawn.",
    ),
    "config": Command(f"{_CLI}.config:config", "Print the settings in use, and where each comes from."),
    "doctor": Command(
        f"{_CLI}.doctor:doctor",
        "Test the jail and say how to fix what does not work; exit 1 if anything fails.",
    ),
    "up": Command(
        f"{_CLI}.up:up",
        "Run the site, with broker, workers and house bots, until Ctrl-C; when started again it goes on.",
    ),
    "admin": Command(
        f"{_CLI}.admin:admin",
        "Run an installation from a shell on its server: `gangland admin --help` lists the commands.",
        context=PASSED_ON,
    ),
}


class Commands(TyperGroup):
    """The group of all commands, each imported when it is called or asked for help."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the commands' names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None if there is none of that name."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            command = COMMANDS[cmd_name].build(cmd_name)
            if ctx.resilient_parsing:  # a shell asks
                from gangland_ladder.cli.complete import complete

                complete(command)
            self.add_command(command, cmd_name)
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each command's line of help; nothing is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help) for name, command in COMMANDS.items()])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is called, and give its options the defaults of the settings."""
        name, command, rest = super().resolve_command(ctx, _spelled(ctx, args))
        if command is not None and not ctx.resilient_parsing and not asks_for_help(rest):
            # Read for a command that runs alone: help is there however broken a file of settings is.
            from gangland_ladder.cli.settings import defaults_of, read

            ctx.default_map = {name: defaults_of(command.params, read())}
        return name, command, rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command; Ctrl-C where it says nothing of its own is answered with the call that does it again."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            from gangland_ladder.cli.report import interrupted

            interrupted("before anything came of it")
            raise typer.Exit(INTERRUPTED) from None

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete a command's name, without importing any of them."""
        for name in COMMANDS:
            self.add_command(TyperCommand(name, rich_markup_mode=None), name)  # words of help would load rich
        return super().shell_complete(ctx, incomplete)


def asks_for_help(arguments: Sequence[str]) -> bool:
    """Tell whether a command's arguments ask for its help alone."""
    return "--help" in arguments[: arguments.index("--")] if "--" in arguments else "--help" in arguments


def _spelled(ctx: Any, args: list[str]) -> list[str]:
    """Refuse a command that does not exist, and name the ones that it may have been meant to be."""
    if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
        from difflib import get_close_matches

        close = get_close_matches(args[0], COMMANDS)
        meant = f"did you mean {' or '.join(close)}?" if close else "`gangland --help` lists them"
        ctx.fail(f"no command {args[0]!r}: {meant}")
    return args

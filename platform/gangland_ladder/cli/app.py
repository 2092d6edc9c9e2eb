"""The commands, put together."""

from __future__ import annotations

import atexit
import signal
import sys
from typing import Annotated

import typer

from gangland_ladder.cli.commands import Commands
from gangland_ladder.cli.output import careful_output
from gangland_ladder.common.runtime import INTERRUPTED, USAGE, calculate_on_one_thread

app = typer.Typer(
    name="gangland",
    cls=Commands,
    help="Bot-writing competitions in dice games.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(shown: bool) -> None:
    if shown:
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
    calculate_on_one_thread()
    try:
        with careful_output():
            _run()
    except KeyboardInterrupt:  # once more, while the first was answered
        _leave()
        _stop("interrupted", INTERRUPTED)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            _leave()
        raise


def _leave() -> None:
    """Let no further Ctrl-C turn the exit code into a signal while the interpreter ends."""
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


def _run() -> None:
    try:
        app()
    except KeyboardInterrupt:
        _stop("interrupted", INTERRUPTED)
    except Exception as failure:
        if not (lines := _lines(failure)):
            raise
        _stop(lines[0], USAGE, *lines[1:])


def _lines(failure: Exception) -> list[str]:
    """Return what to tell people of a failure that is no bug of ours, line by line; nothing of one that is."""
    from gangland_ladder.cli.settings import SettingsError

    if isinstance(failure, SettingsError):
        return [str(failure)]
    from gangland_ladder.common.runtime import ExtraMissing
    from gangland_ladder.local.bots import NoSuchBot
    from gangland_ladder.local.processes import TableFailed
    from gangland_ladder.local.store import StoreError
    from gangland_sandbox.errors import SandboxError

    if isinstance(failure, ExtraMissing | NoSuchBot | StoreError):
        return [str(failure)]
    if isinstance(failure, SandboxError):
        return [f"platform fault: {failure}", "No bot is to blame. `gangland doctor` says how to fix it."]
    return [f"platform fault: {failure}"] if isinstance(failure, TableFailed) else []


def _stop(message: str, code: int, *more: str) -> None:
    from gangland_ladder.cli.report import say

    for line in (f"gangland: {message}", *more):
        say(line)
    sys.exit(code)

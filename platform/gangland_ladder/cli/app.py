"""The commands, put together."""

from __future__ import annotations

import sys

import typer

from gangland_ladder.cli.admin import PASSED_ON, admin
from gangland_ladder.cli.check import check
from gangland_ladder.cli.diff import diff
from gangland_ladder.cli.doctor import doctor
from gangland_ladder.cli.duel import duel
from gangland_ladder.cli.ladder import ladder
from gangland_ladder.cli.play import play
from gangland_ladder.cli.rate import rate
from gangland_ladder.cli.replay import replay
from gangland_ladder.cli.report import FINDINGS, INTERRUPTED, USAGE, say
from gangland_ladder.cli.reproduce import reproduce
from gangland_ladder.cli.up import up
from gangland_ladder.cli.verify import verify
from gangland_ladder.local_bots import NoSuchBot
from gangland_ladder.local_store import StoreError
from gangland_ladder.tables import TableFailed
from gangland_sandbox.errors import SandboxError

app = typer.Typer(
    name="gangland",
    help="Bot-writing competitions in two dice games, Gangster Dice and Gang of Dice.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(check)
app.command()(play)
app.command()(ladder)
app.command()(duel)
app.command()(diff)
app.command()(replay)
app.command()(verify)
app.command()(reproduce)
app.command()(rate)
app.command()(doctor)
app.command()(up)
app.command(context_settings=PASSED_ON)(admin)


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        app()
    except (NoSuchBot, StoreError) as mistake:
        _stop(str(mistake), USAGE)
    except SandboxError as failure:
        _stop(f"platform fault: {failure}\nNo bot is to blame. `gangland doctor` says how to mend it.", USAGE)
    except TableFailed as failure:
        _stop(f"platform fault: {failure}", USAGE)
    except BrokenPipeError:
        _stop("", FINDINGS)
    except KeyboardInterrupt:
        _stop("interrupted", INTERRUPTED)


def _stop(message: str, code: int) -> None:
    if message:
        say(f"gangland: {message}")
    sys.exit(code)

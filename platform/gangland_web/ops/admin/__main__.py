"""`gangland admin`: what organisers do from a shell on the server (`python -m gangland_web.ops.admin`)."""

import logging
import sys

import typer
from sqlalchemy.exc import OperationalError

from gangland_ladder.cli import report
from gangland_ladder.cli.output import careful_output
from gangland_ladder.local.processes import TableFailed
from gangland_ladder.pairing.tables import NoTables
from gangland_ladder.proof.archives.archive import ArchiveError
from gangland_ladder.tournaments.lifecycle import MoveRefused
from gangland_sandbox.errors import SandboxError
from gangland_web.base.secrecy import keep_private
from gangland_web.ops.admin import ladders, maintenance, seasons, tournaments, workers
from gangland_web.ops.admin.importing import import_
from gangland_web.ops.admin.keeping import backup, digest, examine, restore
from gangland_web.ops.admin.reproducing import reproduce
from gangland_web.ops.admin.shell import OPENED, SERVER, USAGE, Refused, WholeHelp, refuse
from gangland_web.services.archives import NotFrozen
from gangland_web.services.ladder_days import ValueRefused
from gangland_web.services.seasons import SeasonRefused
from gangland_web.services.tournaments import EntryRefused
from gangland_web.settings import ConfigError

REFUSALS = (Refused, MoveRefused, EntryRefused, SeasonRefused, ValueRefused, NoTables, NotFrozen)

app = typer.Typer(
    name="gangland admin",
    cls=WholeHelp,
    help="Run an installation from a shell on its server.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(tournaments.app, name="tournament")
app.add_typer(ladders.app, name="ladder")
app.add_typer(seasons.app, name="season")
app.add_typer(maintenance.app, name="maintenance")
app.add_typer(workers.app, name="worker")
app.command("import")(import_)
app.command()(reproduce)
app.command()(backup)
app.command()(examine)
app.command()(restore)
app.command()(digest)


@app.callback()
def _together() -> None:
    """Run an installation from a shell on its server."""


def main() -> None:
    """Run a command and exit with its code."""
    keep_private()
    report.PROGRAM[:] = ["gangland", "admin"]
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    try:
        with careful_output():
            app(prog_name="gangland admin")
    except (*REFUSALS, ArchiveError, ConfigError) as refused:
        refuse(str(refused), USAGE)
    except SandboxError as failure:
        refuse(f"platform fault: {failure}", USAGE, "No bot is to blame. `gangland doctor` says how to fix it.")
    except TableFailed as failure:
        refuse(f"platform fault: {failure}", USAGE)
    except OperationalError as error:
        refuse(f"the database is not reachable, and nothing was changed: {error.orig}", SERVER)
    finally:
        OPENED.close()


if __name__ == "__main__":
    main()

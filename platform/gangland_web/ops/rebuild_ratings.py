"""`gangland rate --rebuild`: recompute all ratings of a site from the recorded results."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from sqlalchemy.exc import ArgumentError, DBAPIError

from gangland_ladder.cli import output
from gangland_ladder.common.runtime import FINDINGS, INTERRUPTED, SERVER, USAGE, accept_interrupt
from gangland_ladder.documents.ladders import RateRebuild, RebuiltRatings
from gangland_web.models.database import Database
from gangland_web.services.ratings import RebuildSummary, rebuild
from gangland_web.settings import SQLITE_FILE, ConfigError, read_settings, sqlite_url


def main(arguments: Sequence[str] | None = None) -> int:
    """Recompute all ratings and print the changes; return 1 if any changed, 2 without a database, 3 after an error."""
    options = _parser().parse_args(arguments)
    try:
        database = Database(_address(options.data))
    except (ConfigError, ArgumentError) as error:
        output.say(f"gangland rate: {error}")
        return USAGE
    try:
        accept_interrupt()
        with database.write() as session:
            rebuilt = list(rebuild(session))
    except DBAPIError as error:
        output.say(f"gangland rate: cannot use the database; nothing was changed: {str(error.orig).strip()}")
        return SERVER
    except KeyboardInterrupt:
        output.say("gangland rate: interrupted; nothing was changed")
        return INTERRUPTED
    finally:
        database.close()
    differed = any(change.differed for change in rebuilt)
    if options.json:
        tournaments = [RebuiltRatings(**asdict(change), differed=change.differed) for change in rebuilt]
        output.print_json(RateRebuild(differed, tournaments))
    else:
        _print(rebuilt, differed=differed)
    return FINDINGS if differed else 0


def _address(data: Path | None) -> str:
    settings = read_settings()
    if settings.database_url is not None:
        return settings.database_url
    folder = (data or settings.data).expanduser().absolute()
    if not (folder / SQLITE_FILE).is_file():
        raise ConfigError(f"no site in {folder}: use --data or DATABASE_URL")
    return sqlite_url(folder)


def _print(rebuilt: Sequence[RebuildSummary], *, differed: bool) -> None:
    head = ["tournament", "matches", "waiting", "seats", "entries", "largest change"]
    rows = []
    for change in rebuilt:
        counts = (change.folded, change.waiting, change.seats_changed, change.entries_changed)
        rows.append([change.name, *map(str, counts), f"{change.largest:.6f}" if change.entries_changed else "-"])
    output.print_table(head, rows, left=(0,))
    if differed:
        output.say("some ratings did not match the recorded results; they are now correct")
    else:
        output.say("all ratings match the recorded results; nothing changed")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gangland rate --rebuild", description="Recompute every rating.")
    parser.add_argument("--data", type=Path, default=None, help="the site's data folder")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    return parser


if __name__ == "__main__":
    sys.exit(main())

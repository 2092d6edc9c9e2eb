"""`gangland admin maintenance`: nothing is written and no match given out, until it is over."""

from collections.abc import Sequence
from typing import Annotated

import typer
from sqlmodel import func, select

from gangland_ladder.documents.admin import Maintenance, Postponed
from gangland_web.base.clock import timestamp
from gangland_web.models.database import Database
from gangland_web.models.log import COMMAND_LINE, Actor
from gangland_web.models.matches import Match, MatchState
from gangland_web.models.site import Fact, begin_maintenance, end_maintenance, fact
from gangland_web.ops.admin.shell import Data, Json, Refused, WholeHelp, open_database, tell
from gangland_web.services.organising import PutOff, put_off_missed

app = typer.Typer(cls=WholeHelp, help="Maintenance: reads are answered, writes are not.", no_args_is_help=True)


@app.command()
def on(
    reason: Annotated[str, typer.Argument(help="What visitors read, for example: The database moves until 18:00.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Answer no writes any more, and give out no match; those under way are finished and recorded.

    Example: gangland admin maintenance on "The database moves until 18:00 UTC."
    """
    database = open_database(data)
    try:
        with database.write() as session:
            begin_maintenance(session, reason)
    except ValueError as wrong:
        raise Refused(str(wrong)) from wrong
    _tell(database, as_json=as_json)


@app.command()
def off(data: Data = None, as_json: Json = False) -> None:
    """Let everything go on; entries that were to close meanwhile stay open for as long as it lasted."""
    database = open_database(data)
    with database.write() as session:
        known = fact(session, Fact.MAINTENANCE)
        put_off = [] if known is None else put_off_missed(session, Actor(None, COMMAND_LINE), known.at)
        end_maintenance(session)
    _tell(database, put_off, as_json=as_json)


@app.command()
def status(data: Data = None, as_json: Json = False) -> None:
    """Say whether it is on, since when and why, and how many matches are still under way."""
    _tell(open_database(data), as_json=as_json)


def _tell(database: Database, put_off: Sequence[PutOff] = (), *, as_json: bool) -> None:
    with database.read() as session:
        known = fact(session, Fact.MAINTENANCE)
        chosen = select(func.count()).select_from(Match).where(Match.state == MatchState.LEASED.value)
        under_way = session.exec(chosen).one()
    document = Maintenance(
        on=known is not None,
        reason=None if known is None else known.value["reason"],
        since=None if known is None else timestamp(known.at),
        under_way=under_way,
        put_off=[
            Postponed(each.tournament, each.name, timestamp(each.before), timestamp(each.after)) for each in put_off
        ],
    )
    line = "no maintenance" if known is None else f"under maintenance since {document.since}: {document.reason}"
    moved = [
        f"{each.name}: entries close at {timestamp(each.after)} and not at {timestamp(each.before)}" for each in put_off
    ]
    tell(document, [line, f"matches under way: {under_way}", *moved], as_json=as_json)

"""`gangland admin season`: the seasons of a ladder, announced before they begin."""

from typing import Annotated

import typer
from sqlmodel import Session

from gangland_ladder.documents.admin import SeasonRow, Seasons
from gangland_web.base.clock import read_day, written_day
from gangland_web.models.log import COMMAND_LINE, Actor
from gangland_web.models.tournaments import Tournament
from gangland_web.ops.admin.ladders import Game, Seats, found_ladder
from gangland_web.ops.admin.shell import Data, Json, Refused, WholeHelp, open_database, tell
from gangland_web.services.seasons import announce_season, call_off_season, seasons_of

app = typer.Typer(cls=WholeHelp, help="Seasons of ladders.", no_args_is_help=True)

ACTOR = Actor(None, COMMAND_LINE)


@app.command()
def announce(
    game: Game,
    seats: Seats,
    first: Annotated[str, typer.Argument(metavar="FIRST", help="Its first day (UTC), tomorrow or later.")],
    last: Annotated[str, typer.Argument(metavar="LAST", help="Its last day (UTC).")],
    name: Annotated[str, typer.Option(help="What it is called beside its number.")] = "",
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Announce a ladder's next season: on its first day every bot begins anew, after its last standings are fixed.

    Example: gangland admin season announce gang-of-dice 2 2027-01-01 2027-03-31 --name Winter
    """
    days = _day(first), _day(last)
    with open_database(data).write() as session:
        ladder = found_ladder(session, game, seats)
        announce_season(session, ladder, *days, name=name, actor=ACTOR)
        document = _seasons(session, ladder)
    tell(document, _lines(document)[:1], as_json=as_json)


@app.command("call-off")
def call_off(
    game: Game,
    seats: Seats,
    season: Annotated[int, typer.Argument(min=1, help="The season's number.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Call off a ladder's latest season, before it begins."""
    with open_database(data).write() as session:
        ladder = found_ladder(session, game, seats)
        call_off_season(session, ladder, season, actor=ACTOR)
        document = _seasons(session, ladder)
    tell(document, [f"season {season} is called off"], as_json=as_json)


@app.command("list")
def list_all(game: Game, seats: Seats, data: Data = None, as_json: Json = False) -> None:
    """List a ladder's seasons, the latest first."""
    with open_database(data).read() as session:
        document = _seasons(session, found_ladder(session, game, seats))
    tell(document, _lines(document) or ["no seasons: the ladder goes on without end"], as_json=as_json)


def _seasons(session: Session, ladder: Tournament) -> Seasons:
    rows = [
        SeasonRow(
            number=season.number,
            name=season.name,
            first_day=written_day(season.first_day),
            last_day=written_day(season.last_day),
            begun=season.period is not None,
            ended=season.ended_at is not None,
            fixed=season.fixed_at is not None,
        )
        for season in seasons_of(session, ladder.id)
    ]
    return Seasons(rows)


def _lines(document: Seasons) -> list[str]:
    return [
        f"season {row.number}{f' ({row.name})' if row.name else ''}: {row.first_day} to {row.last_day}, "
        + ("fixed" if row.fixed else "over" if row.ended else "running" if row.begun else "announced")
        for row in document.rows
    ]


def _day(text: str) -> int:
    day = read_day(text)
    if day is None:
        raise Refused(f"a day is written as 2027-03-01, not {text!r}")
    return day

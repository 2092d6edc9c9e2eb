"""`gangland admin ladder`: the ladders, their days, and what can be exported of them."""

from typing import Annotated

import typer
from msgspec import convert
from sqlmodel import Session, col, select

from gangland.games import GAME_NAMES
from gangland_ladder.documents.admin import Days, LadderDay, Ladders, LadderSummary
from gangland_web.base.clock import read_day
from gangland_web.models.columns import stored
from gangland_web.models.log import COMMAND_LINE, Actor, note_act
from gangland_web.models.tournaments import Tournament
from gangland_web.ops.admin.exporting import As, File, Kind, Wanted, export_archive, export_table, form_of
from gangland_web.ops.admin.shell import Data, Json, Refused, WholeHelp, open_database, tell
from gangland_web.queries.exports import DayNotProven, Span, What, day_content
from gangland_web.queries.ladders import days_of, ladder_of
from gangland_web.queries.tables import serialize
from gangland_web.services.hall_of_fame import count_again

app = typer.Typer(cls=WholeHelp, help="Ladders.", no_args_is_help=True)

Game = Annotated[str, typer.Argument(help=" or ".join(GAME_NAMES))]
Seats = Annotated[int, typer.Argument(min=2, max=4, help="Bots at a table.")]


@app.command("list")
def list_all(data: Data = None, as_json: Json = False) -> None:
    """List the ladders."""
    with open_database(data).read() as session:
        chosen = select(Tournament).where(Tournament.kind == "ladder").order_by(col(Tournament.id))
        found = [
            LadderSummary(one.name, one.game, one.seats, one.blocks, rated_to=one.cursor - 1)
            for one in session.exec(chosen).all()
        ]
    lines = [f"{one.game} {one.seats}: rated up to match {one.rated_to}" for one in found]
    tell(Ladders(found), lines or ["no ladders yet"], as_json=as_json)


@app.command("house-bots")
def house_bots(
    game: Game,
    seats: Seats,
    rank: Annotated[bool, typer.Option(help="Whether house bots hold records and places of seasons.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Let a ladder's house bots hold records and places of seasons, or not; they do not otherwise.

    Example: gangland admin ladder house-bots gang-of-dice 2 --rank
    """
    with open_database(data).write() as session:
        ladder = found_ladder(session, game, seats)
        ladder.house_ranked = rank
        session.add(ladder)
        count_again(session, stored(ladder.id))
        act = "ranked house bots" if rank else "took house bots out of the ranking"
        note_act(session, Actor(None, COMMAND_LINE), act, tournament_id=ladder.id, subject=ladder.name)
        found = LadderSummary(ladder.name, ladder.game, ladder.seats, ladder.blocks, rated_to=ladder.cursor - 1)
    lines = [f"{game} {seats}: house bots {'hold' if rank else 'do not hold'} records and places of seasons"]
    tell(Ladders([found]), lines, as_json=as_json)


@app.command("days")
def list_days(game: Game, seats: Seats, data: Data = None, as_json: Json = False) -> None:
    """List a ladder's days: the promise of each, its secret once it is public, and its matches.

    Example: gangland admin ladder days gang-of-dice 2
    """
    database = open_database(data)
    with database.read() as session:
        ladder = found_ladder(session, game, seats)
        found = [convert(serialize(day), LadderDay) for day in reversed(days_of(session, ladder))]
    lines = [
        f"{row.day}  {'revealed' if row.revealed_at else 'secret':<8}  "
        + (f"matches {row.first_number} to {row.last_number}" if row.matches else "no matches")
        for row in found
    ]
    tell(Days(found), lines or ["no days yet"], as_json=as_json)


@app.command()
def export(
    game: Game,
    seats: Seats,
    file: File,
    what: Wanted = Kind.ARCHIVE,
    form: As = None,
    day: Annotated[str | None, typer.Option(metavar="DAY", help="One day (UTC), such as 2027-03-01.")] = None,
    first: Annotated[int | None, typer.Option("--from", min=1, help="The number of the first match.")] = None,
    last: Annotated[int | None, typer.Option("--to", min=1, help="The number of the last match.")] = None,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Write a day as an archive that `gangland verify` examines, or a table of matches, games, ratings or days.

    Example: gangland admin ladder export gang-of-dice 2 day.tar --day 2027-03-01

    Example: gangland admin ladder export gang-of-dice 2 matches.csv --what matches --from 1 --to 5000
    """
    if day is not None and (first is not None or last is not None):
        raise Refused("--day says which matches, and so do --from and --to: give one of the two")
    day_number = _day(day)
    database = open_database(data)
    with database.read() as session:
        ladder = found_ladder(session, game, seats)
        if what is Kind.ARCHIVE:
            if day_number is None:
                raise Refused("a ladder's archive is of one day: say which with --day, such as 2027-03-01")
            try:
                export_archive(file, day_content(session, ladder, day_number), as_json=as_json)
            except DayNotProven as early:
                raise Refused(str(early)) from early
            return
    span = Span(first, last, day_number)
    export_table(database, ladder, What(what.value), form_of(file, form), file, span, as_json=as_json)


def _day(text: str | None) -> int | None:
    if text is None:
        return None
    day = read_day(text)
    if day is None:
        raise Refused(f"--day is a day such as 2027-03-01, not {text!r}")
    return day


def found_ladder(session: Session, game: str, seats: int) -> Tournament:
    """Return a ladder.  Raises Refused: there is none."""
    found = ladder_of(session, game, seats)
    if found is None:
        raise Refused(f"there is no ladder of {game!r} at {seats} seats; `gangland admin ladder list` names them")
    return found

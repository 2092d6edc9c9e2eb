"""The commands `gangland admin tournament`, `ladder` and `season`, for tasks without an API call."""

from typing import Annotated

import typer
from sqlmodel import Session

from gangland.games import GAME_NAMES
from gangland_ladder.documents import installations
from gangland_web.base.formats import day_text, read_day
from gangland_web.models.organizing import log_action
from gangland_web.models.tournaments import Tournament
from gangland_web.ops import admin_shell as shell
from gangland_web.queries.exports import NoDayArchive, Span, TableKind, day_content
from gangland_web.queries.ladders import ladder_of
from gangland_web.services.archives import content_of
from gangland_web.services.seasons import announce_season, call_off_season, seasons_of

# `gangland admin tournament`: exports of a tournament.

tournament_app = shell.Commands("Export tournaments.")

Id = Annotated[int, typer.Argument(help="The number of the tournament.", min=1)]


@tournament_app.command("export")
def export_tournament(
    tournament: Id,
    file: shell.File,
    what: shell.ExportKind = shell.Kind.ARCHIVE,
    form: shell.TableForm = None,
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Export a tournament as an archive, or one of its tables.

    `gangland verify` checks the archive. It includes the secret once the secret is public.

    Example: gangland admin tournament export 7 spring-cup.tar

    Example: gangland admin tournament export 7 matches.csv --what matches
    """
    database = shell.open_database(data)
    with database.read() as session:
        tournament_row = _tournament(session, tournament)
        if what is shell.Kind.ARCHIVE:
            shell.export_archive(file, content_of(session, tournament_row), as_json=as_json)
            return
    shell.export_table(
        database, tournament_row, TableKind(what.value), shell.form_of(file, form), file, None, as_json=as_json
    )


def _tournament(session: Session, number: int) -> Tournament:
    tournament = session.get(Tournament, number)
    if tournament is None or tournament.kind != "tournament":
        raise shell.Refused(f"no tournament {number}; `gangland admin call GET /organize/tournaments` lists all")
    return tournament


# `gangland admin ladder`: exports of a ladder, and whether house bots are ranked in its seasons.

ladder_app = shell.Commands("Export ladders and rank their house bots.")

Game = Annotated[str, typer.Argument(help=" or ".join(GAME_NAMES))]
Seats = Annotated[int, typer.Argument(min=2, max=4, help="Bots per table.")]


@ladder_app.command("house-bots")
def house_bots(
    game: Game,
    seats: Seats,
    rank: Annotated[bool, typer.Option(help="Whether to rank house bots in seasons.")],
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Set whether a ladder's house bots are ranked in seasons (not by default).

    Example: gangland admin ladder house-bots gang-of-dice 2 --rank
    """
    with shell.open_database(data).write() as session:
        ladder = get_ladder(session, game, seats)
        ladder.house_ranked = rank
        session.add(ladder)
        act = "ranked house bots" if rank else "took house bots out of the ranking"
        log_action(session, shell.ACTOR, act, tournament_id=ladder.id, subject=ladder.name)
        summary = installations.LadderSummary(
            ladder.name, ladder.game, ladder.seats, ladder.blocks, rated_to=ladder.cursor - 1
        )
    lines = [f"{game} {seats}: house bots are {'' if rank else 'not '}ranked in seasons"]
    shell.print_result(installations.Ladders([summary]), lines, as_json=as_json)


@ladder_app.command("export")
def export_ladder(
    game: Game,
    seats: Seats,
    file: shell.File,
    what: shell.ExportKind = shell.Kind.ARCHIVE,
    form: shell.TableForm = None,
    day: Annotated[str | None, typer.Option(metavar="DAY", help="One day (UTC), such as 2027-03-01.")] = None,
    first: Annotated[int | None, typer.Option("--from", min=1, help="The number of the first match.")] = None,
    last: Annotated[int | None, typer.Option("--to", min=1, help="The number of the last match.")] = None,
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Export a day of a ladder as an archive, or a table of it.

    Tables: matches, games, ratings, days. `gangland verify` checks the archive.

    Example: gangland admin ladder export gang-of-dice 2 day.tar --day 2027-03-01

    Example: gangland admin ladder export gang-of-dice 2 matches.csv --what matches --from 1 --to 5000
    """
    if day is not None and (first is not None or last is not None):
        raise shell.Refused("use --day, or --from and --to, not both")
    day_number = _day_of_option(day)
    database = shell.open_database(data)
    with database.read() as session:
        ladder = get_ladder(session, game, seats)
        if what is shell.Kind.ARCHIVE:
            if day_number is None:
                raise shell.Refused("an archive of a ladder needs --day, such as 2027-03-01")
            try:
                shell.export_archive(file, day_content(session, ladder, day_number), as_json=as_json)
            except NoDayArchive as error:
                raise shell.Refused(str(error)) from error
            return
    span = Span(first, last, day_number)
    kind = TableKind(what.value)
    shell.export_table(database, ladder, kind, shell.form_of(file, form), file, span, as_json=as_json)


def _day_of_option(text: str | None) -> int | None:
    if text is None:
        return None
    day = read_day(text)
    if day is None:
        raise shell.Refused(f"--day expects a day such as 2027-03-01, not {text!r}")
    return day


def get_ladder(session: Session, game: str, seats: int) -> Tournament:
    """Return a ladder.  Raises Refused."""
    ladder = ladder_of(session, game, seats)
    if ladder is None:
        raise shell.Refused(f"no ladder of {game!r} with {seats} seats; `gangland admin call GET /ladders` lists all")
    return ladder


# `gangland admin season`: the seasons of a ladder, announced before they begin.

season_app = shell.Commands("Announce seasons of ladders.")


@season_app.command()
def announce(
    game: Game,
    seats: Seats,
    first: Annotated[str, typer.Argument(metavar="FIRST", help="Its first day (UTC), tomorrow or later.")],
    last: Annotated[str, typer.Argument(metavar="LAST", help="Its last day (UTC).")],
    name: Annotated[str, typer.Option(help="A name to show next to its number.")] = "",
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Announce the next season of a ladder; all ratings restart on its first day.

    Example: gangland admin season announce gang-of-dice 2 2027-01-01 2027-03-31 --name Winter
    """
    days = _season_day(first), _season_day(last)
    with shell.open_database(data).write() as session:
        ladder = get_ladder(session, game, seats)
        announce_season(session, ladder, *days, name=name, actor=shell.ACTOR)
        document = _seasons(session, ladder)
    shell.print_result(document, _season_lines(document)[:1], as_json=as_json)


@season_app.command("call-off")
def call_off(
    game: Game,
    seats: Seats,
    season: Annotated[int, typer.Argument(min=1, help="The season's number.")],
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Cancel the latest season of a ladder before it begins."""
    with shell.open_database(data).write() as session:
        ladder = get_ladder(session, game, seats)
        call_off_season(session, ladder, season, actor=shell.ACTOR)
        document = _seasons(session, ladder)
    shell.print_result(document, [f"season {season} has been canceled"], as_json=as_json)


def _seasons(session: Session, ladder: Tournament) -> installations.Seasons:
    rows = [
        installations.SeasonRow(
            number=season.number,
            name=season.name,
            first_day=day_text(season.first_day),
            last_day=day_text(season.last_day),
            begun=season.period is not None,
            ended=season.ended_at is not None,
            fixed=season.fixed_at is not None,
        )
        for season in seasons_of(session, ladder.id)
    ]
    return installations.Seasons(rows)


def _season_lines(document: installations.Seasons) -> list[str]:
    return [
        f"season {row.number}{f' ({row.name})' if row.name else ''}: {row.first_day} to {row.last_day}, "
        + ("final" if row.fixed else "over" if row.ended else "running" if row.begun else "announced")
        for row in document.rows
    ]


def _season_day(text: str) -> int:
    day = read_day(text)
    if day is None:
        raise shell.Refused(f"expected a day such as 2027-03-01, not {text!r}")
    return day

"""`gangland admin tournament`, `ladder` and `season`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import convert, structs
from msgspec.structs import replace
from sqlmodel import Session, col, func, select

from gangland.games import GAME_NAMES
from gangland_ladder.cli.options import Given, options_of
from gangland_ladder.documents.installations import (
    Cost,
    Days,
    FinalTableRules,
    LadderDay,
    Ladders,
    LadderSummary,
    PublicValue,
    SeasonRow,
    Seasons,
    Settling,
    TournamentDocument,
    Tournaments,
)
from gangland_ladder.local.bots import NoSuchBot
from gangland_ladder.pairing.costs import cost
from gangland_ladder.proof.randomness import Randomness, published_at
from gangland_ladder.rating.final_standings import PODIUM
from gangland_ladder.rating.standings_document import StandingsDocument, StandingsRow
from gangland_ladder.tournaments.final_table import BLOCKS as FINAL_BLOCKS
from gangland_ladder.tournaments.final_table import SEATS as FINAL_SEATS
from gangland_ladder.tournaments.final_table import FinalTerms
from gangland_ladder.tournaments.lifecycle import Deadlines, State, past_deadlines
from gangland_ladder.tournaments.settling_rounds import BLOCKS, FIRST, PERCENT, Terms
from gangland_sandbox.limits import Limits, Profile
from gangland_web.base.formats import now_s, read_day, written_day
from gangland_web.base.text import name_key, normal_name, shown
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match
from gangland_web.models.organising import note_act
from gangland_web.models.tournaments import Entrant, Entry, Tournament
from gangland_web.ops.admin_shell import (
    ACTOR,
    As,
    Data,
    File,
    Json,
    Kind,
    Refused,
    Wanted,
    WholeHelp,
    export_archive,
    export_table,
    form_of,
    moment,
    open_database,
    tell,
)
from gangland_web.queries.exports import DayNotProven, Span, What, day_content
from gangland_web.queries.ladders import days_of, ladder_of
from gangland_web.queries.tables import serialize
from gangland_web.queries.tournaments import DEADLINES, deadlines_of, tournament_rules
from gangland_web.services.archives import content_of
from gangland_web.services.corrections import locked_tournament
from gangland_web.services.entries import expected_tables
from gangland_web.services.hall_of_fame import count_again
from gangland_web.services.ladder_days import enter_value
from gangland_web.services.seasons import announce_season, call_off_season, seasons_of
from gangland_web.services.settling import final_standings, set_terms, start_settling
from gangland_web.services.tournaments import (
    Rules,
    close_entries,
    enter_bot,
    make_tournament,
    move_tournament,
    terms_of,
)

# `gangland admin tournament`: create one, see it, and move it along its lifecycle.


SettleFirst = Annotated[int | None, typer.Option(min=FIRST[0], max=FIRST[1], help="How many first places to settle.")]
SettleBlocks = Annotated[int, typer.Option(min=BLOCKS[0], max=BLOCKS[1], help="Most additional blocks for each pair.")]
SettlePercent = Annotated[int, typer.Option(min=PERCENT[0], max=PERCENT[1], help="Error probability in %.")]
FinalSeats = Annotated[
    int | None, typer.Option(min=FINAL_SEATS[0], max=FINAL_SEATS[1], help="Bots at a final table of the first.")
]
FinalBlocks = Annotated[int, typer.Option(min=FINAL_BLOCKS[0], max=FINAL_BLOCKS[1], help="Blocks of the final table.")]
tournament_app = typer.Typer(cls=WholeHelp, help="Tournaments.", no_args_is_help=True)

Id = Annotated[int, typer.Argument(help="The number of the tournament.", min=1)]
Time = Annotated[str | None, typer.Option(metavar="TIME", help="Such as 2027-03-01T18:00Z; UTC where no zone is said.")]


@tournament_app.command()
def create(
    name: Annotated[str, typer.Argument(help="The tournament's name.")],
    game: Annotated[str, typer.Option(help=" or ".join(GAME_NAMES))],
    seats: Annotated[int, typer.Option(min=2, max=4, help="Bots at a table.")] = 2,
    blocks: Annotated[int, typer.Option(min=1, max=1000, help="Blocks a match; each is played in all rotations.")] = 12,
    tables: Annotated[
        int | None, typer.Option(min=1, help="At three and four seats: a balanced sample of so many tables.")
    ] = None,
    profile: Annotated[Profile, typer.Option(help="What bots may import and use.")] = Profile.PLAIN,
    option: Given = None,
    join_code: Annotated[
        str | None, typer.Option(envvar="GANGLAND_JOIN_CODE", help="The join code that authors need to enter.")
    ] = None,
    house_bots: Annotated[bool, typer.Option(help="Whether house bots take part.")] = True,
    rank_house_bots: Annotated[
        bool, typer.Option("--rank-house-bots", help="Give house bots ranks: they can win and reach the final table.")
    ] = False,
    browser_only: Annotated[
        bool, typer.Option("--browser-only", help="Only bots uploaded from the editor on the site take part.")
    ] = False,
    settle_first: SettleFirst = None,
    settle_blocks: SettleBlocks = 120,
    settle_error: SettlePercent = 5,
    final_seats: FinalSeats = None,
    final_blocks: FinalBlocks = 12,
    premiere: Annotated[
        bool, typer.Option("--premiere", help="Keep all results back until the final table is premiered game by game.")
    ] = False,
    final: Annotated[bool, typer.Option("--final", help="Audit every result, not only the site's share.")] = False,
    opens_at: Time = None,
    freezes_at: Time = None,
    starts_at: Time = None,
    embargo_until: Time = None,
    reveals_at: Time = None,
    value_source: Annotated[
        str | None, typer.Option(help="Public value that goes into the dice: exactly which round, block or draw.")
    ] = None,
    value_address: Annotated[str | None, typer.Option(help="Where everybody can read the public value.")] = None,
    value_at: Annotated[
        str | None, typer.Option(metavar="TIME", help="When the public value is published, after the freeze.")
    ] = None,
    value_form: Annotated[str, typer.Option(help="What it is made of, such as: hex 64, numbers 6.")] = "hex 64",
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Make a draft; nobody sees it before it is announced.

    Example: gangland admin tournament create "Spring Cup" --game gang-of-dice --seats 3 --freezes-at 2027-03-01T18:00Z
    """
    try:
        deadlines = Deadlines(
            opens_at=moment(opens_at, "--opens-at"),
            freezes_at=moment(freezes_at, "--freezes-at"),
            starts_at=moment(starts_at, "--starts-at"),
            embargo_until=moment(embargo_until, "--embargo-until"),
            reveals_at=moment(reveals_at, "--reveals-at"),
        )
        if past := past_deadlines(deadlines, now_s()):
            raise Refused(f"--{past[0].replace('_', '-')} is in the past")
        rules = Rules(
            name=name,
            game=game,
            seats=seats,
            blocks=blocks,
            limits=Limits.of(profile, blocks),
            options=options_of(game, seats, option),
            tables=tables,
            house_bots=house_bots,
            house_ranked=rank_house_bots,
            browser_only=browser_only,
            join_code=join_code,
            final=final,
            settle=None if settle_first is None else Terms(settle_first, settle_error, settle_blocks),
            final_table=None if final_seats is None else FinalTerms(final_seats, final_blocks),
            has_premiere=premiere,
            deadlines=deadlines,
            randomness=_randomness(value_source, value_address, value_at, value_form),
        )
    except (ValueError, NoSuchBot, KeyError) as mistake:
        raise Refused(str(mistake)) from mistake
    with open_database(data).write() as session:
        document = facts(session, make_tournament(session, rules))
    tell(document, _tournament_lines(document), as_json=as_json)


def _randomness(source: str | None, address: str | None, at: str | None, form: str) -> Randomness | None:
    """Return the public value that was announced by options, None where none was."""
    given = (source, address, at)
    if given == (None, None, None):
        return None
    if None in given:
        raise Refused("--value-source, --value-address and --value-at go together")
    published = published_at(moment(at, "--value-at") or 0.0)
    announced = {"source": normal_name(source or ""), "address": address, "published_at": published, "form": form}
    return msgspec.convert(announced, Randomness)


@tournament_app.command("list")
def list_tournaments(data: Data = None, as_json: Json = False) -> None:
    """List all tournaments."""
    with open_database(data).read() as session:
        chosen = select(Tournament).where(Tournament.kind == "tournament").order_by(col(Tournament.id))
        found = [facts(session, tournament) for tournament in session.exec(chosen).all()]
    lines = [f"{one.id:>4}  {one.state:<9}  {one.name} ({one.game}, {one.seats} seats)" for one in found]
    tell(Tournaments(found), lines or ["no tournaments yet"], as_json=as_json)


@tournament_app.command()
def show(
    tournament: Id,
    workers: Annotated[int, typer.Option(min=1, help="For how many match workers to estimate the time.")] = 2,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Show a tournament: its rules, deadlines, entries, how far it is and what all of it costs."""
    with open_database(data).read() as session:
        found = _tournament(session, tournament)
        document = facts(session, found)
        whole = cost(
            found.game,
            found.seats,
            expected_tables(session, found),
            limits=Limits.from_dict(found.limits),
            blocks=found.blocks,
        )
    known = Cost(
        matches=whole.tables,
        games=whole.games,
        core_hours=round(whole.core_hours, 3),
        takes_s=round(whole.takes_s(workers), 1),
        workers=workers,
    )
    tell(
        replace(document, cost=known),
        [*_tournament_lines(document), f"all of it: {whole.words(workers)}"],
        as_json=as_json,
    )


@tournament_app.command()
def move(
    tournament: Id,
    state: Annotated[State, typer.Argument(help="The new state.")],
    note: Annotated[str | None, typer.Option(help="A public notice, for example why it is cancelled.")] = None,
    wait: Annotated[
        bool, typer.Option("--wait", help="Of a freeze: close the entries, and freeze when their checks are over.")
    ] = False,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Move a tournament along its lifecycle, now and whatever its deadlines say.

    Example: gangland admin tournament move 7 announced
    """
    with _changing(tournament, data, as_json=as_json) as (session, found):
        if wait and state is State.FROZEN:
            close_entries(session, found)
        else:
            move_tournament(session, found, state, note=note)


@tournament_app.command("public-value")
def public_value(
    tournament: Id,
    value: Annotated[str, typer.Argument(help="As it was published.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Enter the public value that goes into the dice: after the freeze and after it was published, once and for all.

    Example: gangland admin tournament public-value 7 "3 17 22 35 41 48"
    """
    with _changing(tournament, data, as_json=as_json) as (session, found):
        entered = enter_value(session, found, value)
        note_act(session, ACTOR, "entered the public value", tournament_id=found.id, subject=found.name, value=entered)


@tournament_app.command()
def settle(
    tournament: Id,
    first: SettleFirst = None,
    blocks: SettleBlocks = 120,
    error: SettlePercent = 5,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Play more matches between the first bots that are not separated, until they are or the limit is reached.

    With --first it sets the terms in a draft; the announcement fixes them. Without, it starts the settling of a
    finished tournament by what was announced, before its secret is public.

    Example: gangland admin tournament settle 7 --first 3 --blocks 120

    Example: gangland admin tournament settle 7
    """
    with _changing(tournament, data, as_json=as_json) as (session, found):
        locked_tournament(session, stored(found.id))
        if first is None:
            start_settling(session, found)
        else:
            set_terms(session, found, Terms(first, error, blocks))


@tournament_app.command("export")
def export_tournament(
    tournament: Id, file: File, what: Wanted = Kind.ARCHIVE, form: As = None, data: Data = None, as_json: Json = False
) -> None:
    """Write a tournament as an archive that `gangland verify` examines, or a table of it.

    The secret is in the archive once it is public.

    Example: gangland admin tournament export 7 spring-cup.tar

    Example: gangland admin tournament export 7 matches.csv --what matches
    """
    database = open_database(data)
    with database.read() as session:
        found = _tournament(session, tournament)
        if what is Kind.ARCHIVE:
            export_archive(file, content_of(session, found), as_json=as_json)
            return
    export_table(database, found, What(what.value), form_of(file, form), file, None, as_json=as_json)


@tournament_app.command("standings")
def show_standings(tournament: Id, data: Data = None, as_json: Json = False) -> None:
    """Show the standings of a finished tournament: ranks, their ranges, and who is not separated from whom."""
    with open_database(data).read() as session:
        found = _tournament(session, tournament)
        table = final_standings(session, found)
        if table is None:
            raise Refused(f"{found.name} is {found.state}: its standings are there once it is finished")
        chosen = select(Entry.id, Bot.name).join(Version, col(Version.id) == Entry.version_id)
        chosen = chosen.join(Bot, col(Bot.id) == Version.bot_id).where(Entry.tournament_id == found.id)
        names = {stored(entry): shown(name) for entry, name in session.exec(chosen).all()}
    document = msgspec.convert(table, StandingsDocument)
    lines = [_standing(row, names, is_decided=bool(document.final_table)) for row in document.rows]
    if document.final_table:
        decided = len(document.final_table.rows)
        lines.append(f"The final table decided the order of its {decided} bots; ranges are of the games before it.")
    if document.outside:
        lines.append(f"Outside the ranking: {', '.join(names[row.entry] for row in document.outside)}.")
    if not document.enough:
        lines.append(
            f"Too few games to say how sure the first place is: {document.enough_blocks} blocks each are enough."
        )
    tell(replace(document, names={str(entry): name for entry, name in names.items()}), lines, as_json=as_json)


@tournament_app.command()
def enter(
    tournament: Id,
    bot: Annotated[str, typer.Argument(help="The bot's name.")],
    join_code: Annotated[str | None, typer.Option(envvar="GANGLAND_JOIN_CODE", help="The tournament's code.")] = None,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Enter a bot; the version that is active when the tournament freezes will play."""
    with _changing(tournament, data, as_json=as_json) as (session, found):
        chosen = select(Bot).where(Bot.game == found.game, Bot.name_key == name_key(bot))
        entered = session.exec(chosen).first()
        if entered is None:
            raise Refused(f"no bot of {found.game} is called {bot!r}")
        enter_bot(session, found, entered, join_code)


@contextmanager
def _changing(number: int, data: Path | None, *, as_json: bool) -> Iterator[tuple[Session, Tournament]]:
    """A transaction on a tournament; what has come of it is shown once that is through."""
    with open_database(data).write() as session:
        found = _tournament(session, number)
        yield session, found
        document = facts(session, found)
    tell(document, _tournament_lines(document), as_json=as_json)


def facts(session: Session, tournament: Tournament) -> TournamentDocument:
    """Return what an organiser may know of a tournament."""
    states = select(Match.state, func.count()).where(Match.tournament_id == tournament.id).group_by(Match.state)
    count = select(func.count())
    entrants = session.exec(count.select_from(Entrant).where(Entrant.tournament_id == tournament.id)).one()
    terms = terms_of(tournament)
    entries = session.exec(count.select_from(Entry).where(Entry.tournament_id == tournament.id)).one()
    rules = {**tournament_rules(tournament), **deadlines_of(tournament)}
    value, final = rules.pop("randomness"), rules.pop("final_table")
    return TournamentDocument(
        id=stored(tournament.id),
        name=tournament.name,
        state=tournament.state,
        note=tournament.note,
        game=tournament.game,
        seats=tournament.seats,
        **rules,
        randomness=None if value is None else PublicValue(**structs.asdict(value)),
        settle=None if terms is None else Settling(**structs.asdict(terms), rounds=tournament.settle_round),
        final_table=None if final is None else FinalTableRules(**structs.asdict(final)),
        entrants=entrants,
        entries=entries,
        matches=dict(session.exec(states).all()),
    )


def _value_lines(public: PublicValue | None) -> list[str]:
    if public is None:
        return []
    where = f"{public.source}, {public.form}, published {public.published_at} at {public.address}"
    return [f"public value: {public.value or 'not entered yet'} ({shown(where)})"]


def _tournament_lines(found: TournamentDocument) -> list[str]:
    matches = ", ".join(f"{number} {state}" for state, number in sorted(found.matches.items())) or "none yet"
    times = {name: getattr(found, name) for name in DEADLINES}
    return [
        f"{found.id}: {found.name} is {found.state}" + (f" ({found.note})" if found.note else ""),
        f"{found.game}, {found.seats} seats, {found.blocks} blocks a match",
        f"entered: {found.entrants}; frozen: {found.entries}; matches: {matches}",
        *(f"{name.replace('_', ' ')}: {time}" for name, time in times.items() if time is not None),
        *_final_lines(found.final_table),
        *_value_lines(found.randomness),
    ]


def _final_lines(final: FinalTableRules | None) -> list[str]:
    if final is None:
        return []
    premiere = f"; premiere: {final.premiered} steps shown" if final.has_premiere else ""
    return [f"final table: the first {final.seats}, {final.blocks} blocks{premiere}. {final.weight}"]


def _standing(row: StandingsRow, names: dict[int, str], *, is_decided: bool) -> str:
    shows_best = row.best is not None and row.rank <= PODIUM and not is_decided
    best = f", best with {row.best:.1%}" if shows_best else ""
    below = f", not separated from {names[row.next_below]}" if row.next_below is not None else ""
    return f"{row.rank:>4}  ({row.range})  {names[row.entry]}{best}{below}"


def _tournament(session: Session, number: int) -> Tournament:
    tournament = session.get(Tournament, number)
    if tournament is None or tournament.kind != "tournament":
        raise Refused(f"there is no tournament {number}; `gangland admin tournament list` names those that there are")
    return tournament


# `gangland admin ladder`: the ladders, their days, and exports of them.


ladder_app = typer.Typer(cls=WholeHelp, help="Ladders.", no_args_is_help=True)

Game = Annotated[str, typer.Argument(help=" or ".join(GAME_NAMES))]
Seats = Annotated[int, typer.Argument(min=2, max=4, help="Bots at a table.")]


@ladder_app.command("list")
def list_ladders(data: Data = None, as_json: Json = False) -> None:
    """List the ladders."""
    with open_database(data).read() as session:
        chosen = select(Tournament).where(Tournament.kind == "ladder").order_by(col(Tournament.id))
        ladders = [_ladder_summary(ladder) for ladder in session.exec(chosen).all()]
    lines = [f"{ladder.game} {ladder.seats}: rated up to match {ladder.rated_to}" for ladder in ladders]
    tell(Ladders(ladders), lines or ["no ladders yet"], as_json=as_json)


@ladder_app.command("house-bots")
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
        note_act(session, ACTOR, act, tournament_id=ladder.id, subject=ladder.name)
        summary = _ladder_summary(ladder)
    lines = [f"{game} {seats}: house bots {'hold' if rank else 'do not hold'} records and places of seasons"]
    tell(Ladders([summary]), lines, as_json=as_json)


@ladder_app.command("days")
def list_ladder_days(game: Game, seats: Seats, data: Data = None, as_json: Json = False) -> None:
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


@ladder_app.command("export")
def export_ladder(
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
    day_number = _day_of_option(day)
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


def _day_of_option(text: str | None) -> int | None:
    if text is None:
        return None
    day = read_day(text)
    if day is None:
        raise Refused(f"--day is a day such as 2027-03-01, not {text!r}")
    return day


def _ladder_summary(ladder: Tournament) -> LadderSummary:
    return LadderSummary(ladder.name, ladder.game, ladder.seats, ladder.blocks, rated_to=ladder.cursor - 1)


def found_ladder(session: Session, game: str, seats: int) -> Tournament:
    """Return a ladder.  Raises Refused: there is none."""
    found = ladder_of(session, game, seats)
    if found is None:
        raise Refused(f"there is no ladder of {game!r} at {seats} seats; `gangland admin ladder list` names them")
    return found


# `gangland admin season`: the seasons of a ladder, announced before they begin.


season_app = typer.Typer(cls=WholeHelp, help="Seasons of ladders.", no_args_is_help=True)


@season_app.command()
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
    days = _season_day(first), _season_day(last)
    with open_database(data).write() as session:
        ladder = found_ladder(session, game, seats)
        announce_season(session, ladder, *days, name=name, actor=ACTOR)
        document = _seasons(session, ladder)
    tell(document, _season_lines(document)[:1], as_json=as_json)


@season_app.command("call-off")
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


@season_app.command("list")
def list_seasons(game: Game, seats: Seats, data: Data = None, as_json: Json = False) -> None:
    """List a ladder's seasons, the latest first."""
    with open_database(data).read() as session:
        document = _seasons(session, found_ladder(session, game, seats))
    tell(document, _season_lines(document) or ["no seasons: the ladder goes on without end"], as_json=as_json)


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


def _season_lines(document: Seasons) -> list[str]:
    return [
        f"season {row.number}{f' ({row.name})' if row.name else ''}: {row.first_day} to {row.last_day}, "
        + ("fixed" if row.fixed else "over" if row.ended else "running" if row.begun else "announced")
        for row in document.rows
    ]


def _season_day(text: str) -> int:
    day = read_day(text)
    if day is None:
        raise Refused(f"a day is written as 2027-03-01, not {text!r}")
    return day

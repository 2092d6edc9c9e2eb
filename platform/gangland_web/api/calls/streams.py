"""Results line by line, in the order of matches, to be taken up where they were broken off; and archives."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from sqlmodel import Session

from gangland_web.api.framework.declared import Archive, Lines, call
from gangland_web.core.clock import read_day, written_day
from gangland_web.http.files import archive_file
from gangland_web.http.problems import Problem
from gangland_web.http.sessions import database, looker, reading
from gangland_web.resources.exports.archives import asked_day, ladder_day_content, tournament_content
from gangland_web.resources.exports.rows import Span, What
from gangland_web.resources.exports.tables import MATCHES_MOST, NoTable, Table, open_table
from gangland_web.resources.fields import MOST, Day, Game, Model, Number, Seats
from gangland_web.resources.ladders.queries import found_ladder
from gangland_web.resources.matches.rows import GameRow, MatchRow
from gangland_web.resources.tournaments.seen import shown_tournament
from gangland_web.store.columns import stored
from gangland_web.store.models.tournaments import Tournament


class After(Model):
    """Where the lines begin."""

    after: Annotated[
        int, Meta(ge=0, le=MOST, description="Lines of matches with higher numbers: the last whose lines one has.")
    ] = 0


@call("GET", "/tournaments/{tournament_id}/results.ndjson", subject="tournaments")
def results(tournament_id: Number, query: After) -> Lines[MatchRow]:
    """Stream a tournament's matches, a line for each bot in each.

    Where it breaks off, ask again with `after`: the number of the last match of which all lines came.
    """
    table = _opened(_tournament(tournament_id), What.MATCHES, Span(first=query.after + 1))
    return Lines(table.rows, f"tournament-{tournament_id}-results")


@call("GET", "/tournaments/{tournament_id}/games.ndjson", subject="tournaments")
def games_played(tournament_id: Number, query: After) -> Lines[GameRow]:
    """Stream a tournament's games, a line for each seat of each."""
    table = _opened(_tournament(tournament_id), What.GAMES, Span(first=query.after + 1))
    return Lines(table.rows, f"tournament-{tournament_id}-games")


@call("GET", "/tournaments/{tournament_id}/archive.tar", subject="tournaments")
def archive(db: Session, tournament_id: Number) -> Archive:
    """Return a tournament as the archive that `gangland verify` examines."""
    content = tournament_content(db, tournament_id, looker())
    return Archive(archive_file(content, f"gangland-tournament-{tournament_id}"))


@call("GET", "/ladders/{game}/{seats}/results.ndjson", subject="ladders")
def ladder_results(game: Game, seats: Seats, query: After) -> Lines[MatchRow]:
    """Stream a ladder's matches, a line for each bot in each.

    One answer has 10,000 matches at most; ask again with `after` for those that follow.
    """
    ladder = _ladder(game, seats)
    last = min(query.after + MATCHES_MOST, MOST)
    return Lines(_opened(ladder, What.MATCHES, Span(first=query.after + 1, last=last)).rows, f"{game}-{seats}-results")


@call("GET", "/ladders/{game}/{seats}/days/{day}/results.ndjson", subject="ladders")
def day_results(game: Game, seats: Seats, day: Day, query: After) -> Lines[MatchRow]:
    """Stream the matches of a ladder's day, a line for each bot in each."""
    ladder, number = _ladder(game, seats), read_day(day)
    if number is None:
        raise Problem(404, "E310", f"There is no day {day}.")
    table = _opened(ladder, What.MATCHES, Span(first=query.after + 1, day=number))
    return Lines(table.rows, f"{game}-{seats}-{day}-results")


@call("GET", "/ladders/{game}/{seats}/days/{day}/archive.tar", subject="ladders")
def day_archive(db: Session, game: Game, seats: Seats, day: Day) -> Archive:
    """Return a ladder's day as the archive that `gangland verify` examines, once its secret is public."""
    ladder, asked = found_ladder(db, game, seats), asked_day(day)
    content = ladder_day_content(db, ladder, asked)
    return Archive(archive_file(content, f"gangland-{game}-{seats}-{written_day(asked)}"))


def _tournament(tournament_id: int) -> Tournament:
    with reading() as db:
        return shown_tournament(db, tournament_id, looker())


def _ladder(game: str, seats: int) -> Tournament:
    with reading() as db:
        return found_ladder(db, game, seats)


def _opened(of: Tournament, what: What, span: Span) -> Table:
    try:
        return open_table(database(), of, what, span)
    except NoTable as none:
        raise Problem(404, "E310", f"There is no such table of {stored(of.id)}: {none}.") from none

"""Results line by line, in the order of matches, to be taken up where they were broken off; and archives."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from sqlmodel import Session

from gangland_ladder.matches.orders import HIGHEST_ID
from gangland_web.api.framework.declared import Archive, Lines, call
from gangland_web.base.clock import read_day, written_day
from gangland_web.queries.exports import (
    MATCHES_MOST,
    Span,
    What,
    day_content,
    day_number,
    open_table,
    tournament_content,
)
from gangland_web.queries.ladders import found_ladder
from gangland_web.queries.match_lists import GameRow, MatchRow
from gangland_web.queries.tables import Day, Game, Model, Number, Seats
from gangland_web.queries.tournaments import shown_tournament
from gangland_web.web.caching import archive_file
from gangland_web.web.requests import Problem
from gangland_web.web.sessions import current_user, database


class After(Model):
    """Where the lines begin."""

    after: Annotated[
        int,
        Meta(ge=0, le=HIGHEST_ID, description="Lines of matches with higher numbers: the last whose lines one has."),
    ] = 0


@call("GET", "/tournaments/{tournament_id}/results.ndjson", subject="tournaments")
def results(db: Session, tournament_id: Number, query: After) -> Lines[MatchRow]:
    """Stream a tournament's matches, a line for each bot in each.

    Where it breaks off, ask again with `after`: the number of the last match of which all lines came.
    """
    table = open_table(
        database(), shown_tournament(db, tournament_id, current_user()), What.MATCHES, Span(first=query.after + 1)
    )
    return Lines(table.rows, f"tournament-{tournament_id}-results")


@call("GET", "/tournaments/{tournament_id}/games.ndjson", subject="tournaments")
def games_played(db: Session, tournament_id: Number, query: After) -> Lines[GameRow]:
    """Stream a tournament's games, a line for each seat of each."""
    table = open_table(
        database(), shown_tournament(db, tournament_id, current_user()), What.GAMES, Span(first=query.after + 1)
    )
    return Lines(table.rows, f"tournament-{tournament_id}-games")


@call("GET", "/tournaments/{tournament_id}/archive.tar", subject="tournaments")
def archive(db: Session, tournament_id: Number) -> Archive:
    """Return a tournament as the archive that `gangland verify` examines."""
    content = tournament_content(db, tournament_id, current_user())
    return Archive(archive_file(content, f"gangland-tournament-{tournament_id}"))


@call("GET", "/ladders/{game}/{seats}/results.ndjson", subject="ladders")
def ladder_results(db: Session, game: Game, seats: Seats, query: After) -> Lines[MatchRow]:
    """Stream a ladder's matches, a line for each bot in each.

    One answer has 10,000 matches at most; ask again with `after` for those that follow.
    """
    ladder = found_ladder(db, game, seats)
    last = min(query.after + MATCHES_MOST, HIGHEST_ID)
    return Lines(
        open_table(database(), ladder, What.MATCHES, Span(first=query.after + 1, last=last)).rows,
        f"{game}-{seats}-results",
    )


@call("GET", "/ladders/{game}/{seats}/days/{day}/results.ndjson", subject="ladders")
def day_results(db: Session, game: Game, seats: Seats, day: Day, query: After) -> Lines[MatchRow]:
    """Stream the matches of a ladder's day, a line for each bot in each."""
    ladder, number = found_ladder(db, game, seats), read_day(day)
    if number is None:
        raise Problem(404, "E310", f"There is no day {day}.")
    table = open_table(database(), ladder, What.MATCHES, Span(first=query.after + 1, day=number))
    return Lines(table.rows, f"{game}-{seats}-{day}-results")


@call("GET", "/ladders/{game}/{seats}/days/{day}/archive.tar", subject="ladders")
def day_archive(db: Session, game: Game, seats: Seats, day: Day) -> Archive:
    """Return a ladder's day as the archive that `gangland verify` examines, once its secret is public."""
    ladder, number = found_ladder(db, game, seats), day_number(day)
    content = day_content(db, ladder, number)
    return Archive(archive_file(content, f"gangland-{game}-{seats}-{written_day(number)}"))

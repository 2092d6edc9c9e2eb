"""Ladders: who stands where, what was played, and the days with their secrets."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from flask import request
from msgspec import Meta
from sqlmodel import Session

from gangland_web.api.framework.declared import call
from gangland_web.api.framework.fields import Count, Game, Hex64, Key, Limit, Model, Moment, Number, Path, Seats
from gangland_web.api.framework.paging import next_page
from gangland_web.api.framework.sheets import table, table_model
from gangland_web.http.problems import Problem
from gangland_web.resources.exports.rows import moment
from gangland_web.resources.ladders.board import BOARD, told_rows
from gangland_web.resources.ladders.days import days_of
from gangland_web.resources.ladders.paging import FIRST_PAGE, Window, read_key
from gangland_web.resources.ladders.queries import found_ladder, ladder_page, ladder_state
from gangland_web.resources.matches.lists import LATEST, MATCHES, matches_of_ladder, matches_sheet
from gangland_web.resources.tables import Sheet


class LadderTold(Model):
    """A ladder: a game at a table size, and how much of it is planned, over and not in the ratings yet."""

    game: Game
    seats: int
    url: Path
    blocks: Count
    planned: Count
    over: Count
    waiting: Count


class Ladders(Model):
    """The ladders of the house."""

    ladders: list[LadderTold]


class DayTold(Model):
    """A day of a ladder: what was promised when, its matches by number, and the secret once it is public."""

    day: str
    commitment: Hex64
    committed_at: Moment | None
    late: bool
    over: bool
    secret: Hex64 | None
    first: Number | None
    last: Number | None
    results: Path
    archive: Path | None


class Days(Model):
    """Days of a ladder, the newest first."""

    days: list[DayTold]
    next: Path | None


class BoardPage(Model):
    """Which page of a leaderboard; keys are those of `next` and `previous`."""

    after: Key | None = None
    before: Key | None = None
    limit: Limit = 100


class DaysPage(Model):
    """Which page of days."""

    before: Annotated[int, Meta(ge=0, le=10**6, description="Days before this one, counted from 1970.")] | None = None
    limit: Limit = 30


class MatchesPage(Model):
    """Which page of matches, the latest first."""

    before: Annotated[int, Meta(ge=1, le=LATEST, description="Goes on below this key of `next`.")] = LATEST
    limit: Limit = 50


Leaderboard: Any = table_model("Leaderboard", "A bot on a ladder, the best first.", BOARD, paged=True)
MatchList: Any = table_model("MatchList", "A bot in a finished match, the latest match first.", MATCHES, paged=True)


@call("GET", "/ladders", subject="ladders")
def ladders(db: Session) -> Ladders:
    """List the ladders."""
    told = []
    for game in get_args(Game):
        for seats in get_args(Seats):
            if (state := ladder_state(db, game, seats)) is not None:
                where = f"{request.path.rstrip('/')}/{game}/{seats}"
                told.append(
                    LadderTold(
                        game=game,
                        seats=seats,
                        url=where,
                        blocks=state.blocks,
                        planned=state.scheduled,
                        over=state.over,
                        waiting=max(0, state.waiting),
                    )
                )
    return Ladders(ladders=told)


@call("GET", "/ladders/{game}/{seats}", subject="ladders", answer=Leaderboard)
def leaderboard(db: Session, game: Game, seats: Seats, query: BoardPage) -> Any:
    """List the bots of a ladder, the best first."""
    state = ladder_state(db, game, seats)
    if state is None:
        raise Problem(404, "E310", f"There is no ladder of {game} at {seats} seats yet.")
    page = ladder_page(db, state.id, _window(query), size=query.limit)
    rows = Sheet("leaderboard", "", BOARD, told_rows(db, state, page, seats))
    return table(rows, next=None if page.below is None else next_page(after=page.below.key and page.below.key.text))


def _window(query: BoardPage) -> Window:
    given = [(name, text) for name, text in (("after", query.after), ("before", query.before)) if text is not None]
    if not given:
        return FIRST_PAGE
    if len(given) > 1:
        raise Problem(400, "E309", "A page begins after one entry or ends before one, not both.")
    ((name, text),) = given
    try:
        return Window(read_key(text), upwards=name == "before")
    except ValueError as mistake:
        raise Problem(400, "E309", f"{name} is RATING:NUMBER, as `next` has it.") from mistake


@call("GET", "/ladders/{game}/{seats}/matches", subject="ladders", answer=MatchList)
def ladder_matches(db: Session, game: Game, seats: Seats, query: MatchesPage) -> Any:
    """List a ladder's finished matches, the latest first."""
    state = ladder_state(db, game, seats)
    if state is None:
        raise Problem(404, "E310", f"There is no ladder of {game} at {seats} seats yet.")
    found = matches_of_ladder(db, state.id, query.limit, before=query.before)
    return table(matches_sheet(found.rows), next=next_page(before=found.older))


@call("GET", "/ladders/{game}/{seats}/days", subject="ladders")
def ladder_days(db: Session, game: Game, seats: Seats, query: DaysPage) -> Days:
    """List a ladder's days, the newest first."""
    found = days_of(db, found_ladder(db, game, seats), query.limit + 1, before=query.before)
    where = request.path
    told = [
        DayTold(
            day=day.name,
            commitment=day.commitment,
            committed_at=moment(day.committed_at),
            late=day.late,
            over=day.over,
            secret=day.secret,
            first=day.first,
            last=day.last,
            results=f"{where}/{day.name}/results.ndjson",
            archive=f"{where}/{day.name}/archive.tar" if day.secret and day.first is not None else None,
        )
        for day in found[: query.limit]
    ]
    more = found[query.limit - 1].number if len(found) > query.limit else None
    return Days(days=told, next=next_page(before=more))

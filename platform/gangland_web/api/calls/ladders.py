"""Ladders: who stands where, what was played, and the days with their secrets."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta
from sqlmodel import Session

from gangland_web.api.framework.declared import Example, call
from gangland_web.base.clock import read_day
from gangland_web.queries.documented import DOCUMENTED
from gangland_web.queries.hall_of_fame import Records
from gangland_web.queries.hall_of_fame import records as all_records
from gangland_web.queries.ladders import (
    FIRST_PAGE,
    Days,
    Ladders,
    Window,
    board_table,
    days_of,
    found_ladder,
    ladder_list,
    ladder_page,
    ladder_state,
    read_key,
)
from gangland_web.queries.match_lists import LATEST, matches_of_ladder, matches_table
from gangland_web.queries.seasons import SeasonDetail, Seasons, found_season, placed_in, season_detail, season_list
from gangland_web.queries.tables import Game, Key, Limit, Model, Number, Seats, table
from gangland_web.web.address import next_page
from gangland_web.web.requests import Problem


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
    """Which page of matches, the highest number first."""

    before: Annotated[int, Meta(ge=1, le=LATEST, description="Goes on below this key of `next`.")] = LATEST
    limit: Limit = 50


Leaderboard: Any = DOCUMENTED["leaderboard"].model("leaderboard")
MatchList: Any = DOCUMENTED["match-list"].model("match-list")


@call("GET", "/ladders", subject="ladders")
def ladders(db: Session) -> Ladders:
    """List the ladders."""
    return ladder_list(db)


@call("GET", "/ladders/{game}/{seats}", subject="ladders", answer=Leaderboard)
def leaderboard(db: Session, game: Game, seats: Seats, query: BoardPage) -> Any:
    """List the bots of a ladder, the best first."""
    state = ladder_state(db, game, seats)
    if state is None:
        raise Problem(404, "E310", f"There is no ladder of {game} at {seats} seats yet.")
    page = ladder_page(db, state, _window(query), size=query.limit)
    return table(board_table(state, page, seats, next_page(after=page.next_key)))


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
    """List a ladder's finished matches, the highest number first."""
    state = ladder_state(db, game, seats)
    if state is None:
        raise Problem(404, "E310", f"There is no ladder of {game} at {seats} seats yet.")
    found = matches_of_ladder(db, state.id, query.limit, before=query.before)
    return table(matches_table(found.rows, next_page(before=found.older)))


@call("GET", "/ladders/{game}/{seats}/days", subject="ladders")
def ladder_days(db: Session, game: Game, seats: Seats, query: DaysPage) -> Days:
    """List a ladder's days, the newest first."""
    found = days_of(db, found_ladder(db, game, seats), query.limit + 1, before=query.before)
    more = read_day(found[query.limit - 1].day) if len(found) > query.limit else None
    return Days(rows=found[: query.limit], next=next_page(before=more))


@call("GET", "/ladders/{game}/{seats}/seasons", subject="ladders")
def ladder_seasons(db: Session, game: Game, seats: Seats) -> Seasons:
    """List a ladder's seasons, the latest first."""
    return Seasons(rows=season_list(db, found_ladder(db, game, seats).id, game, seats))


@call("GET", "/ladders/{game}/{seats}/seasons/{season}", subject="ladders", example=Example(path={"seats": "4"}))
def ladder_season(db: Session, game: Game, seats: Seats, season: Number) -> SeasonDetail:
    """Tell of a season: its days, and its standings once they are fixed."""
    ladder = found_ladder(db, game, seats)
    found = found_season(db, ladder, season)
    return season_detail(db, ladder, found, placed_in(db, found))


@call("GET", "/records", subject="ladders")
def records(db: Session) -> Records:
    """List the records of the ladders, and what each is proven by."""
    return all_records(db)

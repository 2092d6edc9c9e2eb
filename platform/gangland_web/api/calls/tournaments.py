"""Tournaments: what is announced, who takes part, what is played when, and what came of it."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta
from sqlmodel import Session

from gangland_ladder.matches.orders import HIGHEST_ID
from gangland_web.api.framework.declared import Example, call
from gangland_web.base.clock import now_s
from gangland_web.models.columns import stored
from gangland_web.queries.documented import DOCUMENTED
from gangland_web.queries.standings import Standings, standings_of
from gangland_web.queries.tables import Limit, Model, NewestFirst, Number, table
from gangland_web.queries.tournament_pages import Premiere, premiere_of
from gangland_web.queries.tournament_tables import schedule_table, tournament_table
from gangland_web.queries.tournaments import (
    TournamentDetail,
    Tournaments,
    found_tournament,
    listed,
    shown_tournament,
    tables_of,
    tournament_detail,
    tournament_list,
)
from gangland_web.queries.visibility import results_visible
from gangland_web.services.settling import stored_standings
from gangland_web.web.address import next_page
from gangland_web.web.requests import Problem
from gangland_web.web.sessions import current_user


class SchedulePage(Model):
    """Which matches, in order of their numbers: those of one entry, if one is named."""

    after: Annotated[int, Meta(ge=0, le=HIGHEST_ID, description="Matches with higher numbers.")] = 0
    entry: Number | None = None
    limit: Limit = 50


def _model(what: str) -> Any:
    name = f"tournament-{what}"
    return DOCUMENTED[name].model(name)


@call("GET", "/tournaments", subject="tournaments")
def tournaments(db: Session, query: NewestFirst) -> Tournaments:
    """List tournaments that were announced, the newest first, and those of one's own."""
    found = listed(db, current_user(), query.limit + 1, before=query.before)
    more = stored(found[query.limit - 1].id) if len(found) > query.limit else None
    return tournament_list(found[: query.limit], current_user(), next_page(before=more))


@call("GET", "/tournaments/{tournament_id}", subject="tournaments")
def tournament(db: Session, tournament_id: Number) -> TournamentDetail:
    """Tell of a tournament: its rules, its deadlines, and how its dice are proven."""
    return tournament_detail(db, found_tournament(db, tournament_id, current_user()), current_user())


def _declare_table(what: str) -> None:
    def rows(db: Session, tournament_id: Number) -> Any:
        who = current_user()
        return table(tournament_table(db, found_tournament(db, tournament_id, who), what, who))

    model = _model(what)
    rows.__doc__ = DOCUMENTED[f"tournament-{what}"].about
    path = f"/tournaments/{{tournament_id}}/{what}"
    call("GET", path, subject="tournaments", name=f"tournament_{what}", answer=model)(rows)


for _what in ("entries", "cross", "progress", "amendments", "freeze"):
    _declare_table(_what)


@call("GET", "/tournaments/{tournament_id}/schedule", subject="tournaments", answer=_model("schedule"))
def schedule(db: Session, tournament_id: Number, query: SchedulePage) -> Any:
    """List a tournament's matches in order of their numbers, a row for each bot in each."""
    found = found_tournament(db, tournament_id, current_user())
    tables = tables_of(db, found, current_user(), query.limit + 1, after=query.after, entry=query.entry)
    more = tables[query.limit - 1].number if len(tables) > query.limit else None
    results = results_visible(found, current_user())
    return table(schedule_table(found, tables[: query.limit], results=results, beyond=next_page(after=more)))


@call("GET", "/tournaments/{tournament_id}/premiere", subject="tournaments", example=Example(
    path={"tournament_id": "$PREMIERE"}))  # fmt: skip
def premiere(db: Session, tournament_id: Number) -> Premiere:
    """Tell what the premiere of a final table has shown so far; it begins when all is played."""
    found = found_tournament(db, tournament_id, current_user())
    shown = premiere_of(db, found, now_s())
    if shown is None:
        raise Problem(404, "E310", f"Tournament {tournament_id} has no premiere, or it cannot begin yet.")
    return shown


@call("GET", "/tournaments/{tournament_id}/standings", subject="tournaments")
def final_standings(db: Session, tournament_id: Number) -> Standings:
    """Tell the final standings, once all is played and they are shown."""
    found = shown_tournament(db, tournament_id, current_user())
    kept = stored_standings(db, tournament_id)
    if kept is None:
        words = f"{found.name} is {found.state}; its standings come when all is played."
        raise Problem(404, "E310", words)
    return standings_of(db, found, kept)

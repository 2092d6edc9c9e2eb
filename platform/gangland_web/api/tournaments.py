"""API calls for tournaments and events."""

from typing import Annotated, Any

from flask import url_for
from msgspec import Meta
from sqlmodel import Session

from gangland_ladder.matches.match_jobs import HIGHEST_ID
from gangland_ladder.tournaments.lifecycle import State, may_enter
from gangland_web.api.bots import own_bot
from gangland_web.api.declared import Example, call
from gangland_web.base.formats import now_s
from gangland_web.models.columns import row_id
from gangland_web.models.tournaments import Event, Tournament
from gangland_web.queries import tournaments as tournament_queries
from gangland_web.queries.standings import Standings, standings_of
from gangland_web.queries.tables import BASE, Limit, Model, NewestFirst, Number, Path, table
from gangland_web.queries.tournament_pages import Premiere, premiere_of
from gangland_web.queries.tournament_tables import SCHEDULE, TOURNAMENT_TABLES, schedule_table, tournament_table
from gangland_web.queries.visibility import results_visible
from gangland_web.services.entries import JOIN_CODE_CHARS, EntryRefused, enter_bot, withdraw_bot
from gangland_web.services.settling import stored_standings
from gangland_web.services.tokens import Bearer, Scope
from gangland_web.web.address import next_page
from gangland_web.web.requests import Problem
from gangland_web.web.sessions import current_user

# Tournaments: announcements, participants, schedules, results, and entering bots.


class EntryRequest(Model):
    """A bot to enter, and the join code if the tournament requires one."""

    bot: Number
    join_code: Annotated[str, Meta(max_length=JOIN_CODE_CHARS)] = ""


class EntryResponse(Model):
    """Whether a bot is entered in a tournament."""

    tournament: Number
    bot: Number
    entered: bool


class SchedulePage(Model):
    """The page of matches in order of their numbers, optionally only of one entry."""

    after: Annotated[int, Meta(ge=0, le=HIGHEST_ID, description="Only matches with higher numbers.")] = 0
    entry: Number | None = None
    limit: Limit = 50


@call("GET", "/tournaments", subject="tournaments")
def tournaments(db: Session, query: NewestFirst) -> tournament_queries.Tournaments:
    """List announced tournaments and your own, newest first."""
    rows = tournament_queries.listed_tournaments(db, current_user(), query.limit + 1, before=query.before)
    more = row_id(rows[query.limit - 1].id) if len(rows) > query.limit else None
    return tournament_queries.tournament_list(rows[: query.limit], current_user(), next_page(before=more))


@call("GET", "/tournaments/{tournament_id}", subject="tournaments")
def tournament(db: Session, tournament_id: Number) -> tournament_queries.TournamentDetail:
    """Get a tournament: its rules, its deadlines, and the proof of its dice."""
    return tournament_queries.tournament_detail(
        db, tournament_queries.get_tournament(db, tournament_id, current_user()), current_user()
    )


def _declare_table(name: str) -> None:
    def rows(db: Session, tournament_id: Number) -> Any:
        who = current_user()
        return table(tournament_table(db, tournament_queries.get_tournament(db, tournament_id, who), name, who))

    listed = TOURNAMENT_TABLES[name]
    rows.__doc__ = listed.about
    path = f"/tournaments/{{tournament_id}}/{name}"
    call("GET", path, subject="tournaments", name=f"tournament_{name}", answer=listed.model)(rows)


for _name in ("entries", "cross", "progress", "amendments", "freeze"):
    _declare_table(_name)


@call("GET", "/tournaments/{tournament_id}/schedule", subject="tournaments", answer=SCHEDULE.model)
def schedule(db: Session, tournament_id: Number, query: SchedulePage) -> Any:
    """List a tournament's matches in order of their numbers, a row for each bot in a match."""
    tournament = tournament_queries.get_tournament(db, tournament_id, current_user())
    tables = tournament_queries.schedule(
        db, tournament, current_user(), query.limit + 1, after=query.after, entry=query.entry
    )
    more = tables[query.limit - 1].number if len(tables) > query.limit else None
    results = results_visible(tournament, current_user())
    return table(schedule_table(tournament, tables[: query.limit], results=results, next_url=next_page(after=more)))


@call("GET", "/tournaments/{tournament_id}/premiere", subject="tournaments", example=Example(
    path={"tournament_id": "$PREMIERE"}))  # fmt: skip
def premiere(db: Session, tournament_id: Number) -> Premiere:
    """Get the public part of the premiere of a final table, which begins once everything is played."""
    tournament = tournament_queries.get_tournament(db, tournament_id, current_user())
    premiere_now = premiere_of(db, tournament, now_s())
    if premiere_now is None:
        raise Problem(404, "E310", f"Tournament {tournament_id} has no premiere, or it cannot begin yet.")
    return premiere_now


@call("GET", "/tournaments/{tournament_id}/standings", subject="tournaments")
def final_standings(db: Session, tournament_id: Number) -> Standings:
    """Get the final standings once they are public."""
    tournament = tournament_queries.shown_tournament(db, tournament_id, current_user())
    standings = stored_standings(db, tournament_id)
    if standings is None:
        reason = f"{tournament.name} is {tournament.state}; it has standings once all matches have been played."
        raise Problem(404, "E310", reason)
    return standings_of(db, tournament, standings)


@call("POST", "/tournaments/{tournament_id}/entries", subject="tournaments", needs=Scope.WRITE, example=Example(
    path={"tournament_id": "$OPEN"}, body='{\\"bot\\": $MY_BOT}'))  # fmt: skip
def enter(db: Session, who: Bearer, tournament_id: Number, body: EntryRequest) -> EntryResponse:
    """Enter your bot; its version is fixed when the tournament freezes."""
    tournament = tournament_queries.get_tournament(db, tournament_id, current_user())
    enter_bot(db, tournament, own_bot(db, who, body.bot), body.join_code)
    return EntryResponse(tournament=tournament_id, bot=body.bot, entered=True)


@call("DELETE", "/tournaments/{tournament_id}/entries/{bot_id}", subject="tournaments", needs=Scope.WRITE,
      example=Example(path={"tournament_id": "$OPEN", "bot_id": "$MY_BOT"}))  # fmt: skip
def withdraw(db: Session, who: Bearer, tournament_id: Number, bot_id: Number) -> EntryResponse:
    """Withdraw your bot while the tournament is open."""
    tournament = tournament_queries.get_tournament(db, tournament_id, current_user())
    withdraw_bot(db, tournament, own_bot(db, who, bot_id))
    return EntryResponse(tournament=tournament_id, bot=bot_id, entered=False)


# Events: groups of tournaments, and entering all of them at once.

_MAX_BOTS = 10


class EventResponse(Model):
    """An event with those of its tournaments that you may see."""

    id: Number
    url: Path
    page: Path
    name: str
    tournaments: list[tournament_queries.TournamentSummary]


class Events(Model):
    """Events with announced tournaments and your own events, newest first."""

    events: list[EventResponse]
    next: Path | None


class EventEntryRequest(Model):
    """Bots to enter, one for each game, and the join code if it is required."""

    bots: Annotated[list[Number], Meta(min_length=1, max_length=_MAX_BOTS)]
    join_code: Annotated[str, Meta(max_length=JOIN_CODE_CHARS)] = ""


class EventEntered(Model):
    """The entries, tournament by tournament."""

    event: Number
    entries: list[EntryResponse]


@call("GET", "/events", subject="tournaments")
def events(db: Session, query: NewestFirst) -> Events:
    """List events, newest first."""
    who = current_user()
    listed_events = tournament_queries.listed_events(db, who, query.limit + 1, before=query.before)
    more = row_id(listed_events[query.limit - 1].id) if len(listed_events) > query.limit else None
    rows = [
        event_response(each, tournament_queries.visible_tournaments(db, row_id(each.id), who))
        for each in listed_events[: query.limit]
    ]
    return Events(events=rows, next=next_page(before=more))


@call("GET", "/events/{event_id}", subject="tournaments")
def event(db: Session, event_id: Number) -> EventResponse:
    """Get an event and its tournaments."""
    return event_response(*tournament_queries.visible_event(db, event_id, current_user()))


@call("POST", "/events/{event_id}/entries", subject="tournaments", needs=Scope.WRITE, example=Example(
    body='{\\"bots\\": [$MY_BOT]}'))  # fmt: skip
def enter_event(db: Session, who: Bearer, event_id: Number, body: EventEntryRequest) -> EventEntered:
    """Enter your bots in the tournaments of an event, either all of them or none."""
    event, tournaments = tournament_queries.visible_event(db, event_id, current_user())
    bots = [own_bot(db, who, number) for number in dict.fromkeys(body.bots)]
    open_for = {tournament.game for tournament in tournaments if may_enter(State(tournament.state))}
    games = [bot.game for bot in bots]
    for bot in bots:
        if bot.game not in open_for:
            raise EntryRefused(f"{bot.name} plays {bot.game}, but {event.name} accepts no bots for it now")
    if len(set(games)) < len(games):
        raise EntryRefused("expected one bot per game")
    entries = []
    for tournament in tournaments:  # in order of their numbers, so that concurrent calls cannot deadlock
        for bot in bots:
            if bot.game == tournament.game and may_enter(State(tournament.state)):
                enter_bot(db, tournament, bot, body.join_code)
                entries.append(EntryResponse(tournament=row_id(tournament.id), bot=row_id(bot.id), entered=True))
    return EventEntered(event=event_id, entries=entries)


def event_response(event: Event, tournaments: list[Tournament]) -> EventResponse:
    """Return an event with these tournaments, which are some or all of its own."""
    number = row_id(event.id)
    return EventResponse(
        id=number,
        url=f"{BASE}/events/{number}",
        page=url_for("tournaments.event", event_id=number),
        name=event.name,
        tournaments=[tournament_queries.tournament_summary(tournament, current_user()) for tournament in tournaments],
    )

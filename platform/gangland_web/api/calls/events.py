"""Events: tournaments that belong together, and the way into all of them at once."""

from __future__ import annotations

from typing import Annotated

from flask import url_for
from msgspec import Meta
from sqlmodel import Session

from gangland_ladder.tournaments.lifecycle import State, may_enter
from gangland_web.api.calls.acts import EntryResponse
from gangland_web.api.calls.uploads import own_bot
from gangland_web.api.framework.declared import Example, call
from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Event, Tournament
from gangland_web.queries.tables import BASE, Model, NewestFirst, Number, Path
from gangland_web.queries.tournaments import (
    TournamentSummary,
    listed_events,
    tournament_summary,
    visible_event,
    visible_tournaments,
)
from gangland_web.services.tokens import Bearer, Scope
from gangland_web.services.tournaments import JOIN_CODE_CHARS, EntryRefused, enter_bot
from gangland_web.web.address import next_page
from gangland_web.web.sessions import current_user

_AT_ONCE = 10


class EventResponse(Model):
    """An event with those of its tournaments that one may know of."""

    id: Number
    url: Path
    page: Path
    name: str
    tournaments: list[TournamentSummary]


class Events(Model):
    """Events with an announced tournament, the newest first, and those of one's own."""

    events: list[EventResponse]
    next: Path | None


class EventEntryRequest(Model):
    """Bots to be entered, one for each game, with the join code where one is asked for."""

    bots: Annotated[list[Number], Meta(min_length=1, max_length=_AT_ONCE)]
    join_code: Annotated[str, Meta(max_length=JOIN_CODE_CHARS)] = ""


class EventEntered(Model):
    """What was entered, tournament by tournament."""

    event: Number
    entries: list[EntryResponse]


@call("GET", "/events", subject="tournaments")
def events(db: Session, query: NewestFirst) -> Events:
    """List events, the newest first."""
    who = current_user()
    found = listed_events(db, who, query.limit + 1, before=query.before)
    more = stored(found[query.limit - 1].id) if len(found) > query.limit else None
    rows = [event_response(each, visible_tournaments(db, stored(each.id), who)) for each in found[: query.limit]]
    return Events(events=rows, next=next_page(before=more))


@call("GET", "/events/{event_id}", subject="tournaments")
def event(db: Session, event_id: Number) -> EventResponse:
    """Tell of an event and its tournaments."""
    return event_response(*visible_event(db, event_id, current_user()))


@call("POST", "/events/{event_id}/entries", subject="tournaments", needs=Scope.WRITE, example=Example(
    body='{\\"bots\\": [$MY_BOT]}'))  # fmt: skip
def enter_event(db: Session, who: Bearer, event_id: Number, body: EventEntryRequest) -> EventEntered:
    """Enter bots of one's own in the event's tournaments of their games, all or none."""
    found, tournaments = visible_event(db, event_id, current_user())
    bots = [own_bot(db, who, number) for number in dict.fromkeys(body.bots)]
    open_for = {tournament.game for tournament in tournaments if may_enter(State(tournament.state))}
    games = [bot.game for bot in bots]
    for bot in bots:
        if bot.game not in open_for:
            raise EntryRefused(f"{found.name} takes no bot of {bot.game} now, as {bot.name} is")
    if len(set(games)) < len(games):
        raise EntryRefused("name one bot for each game")
    entries = []
    for tournament in tournaments:  # in order of their numbers, so that two who enter never wait for each other
        for bot in bots:
            if bot.game == tournament.game and may_enter(State(tournament.state)):
                enter_bot(db, tournament, bot, body.join_code)
                entries.append(EntryResponse(tournament=stored(tournament.id), bot=stored(bot.id), entered=True))
    return EventEntered(event=event_id, entries=entries)


def event_response(found: Event, tournaments: list[Tournament]) -> EventResponse:
    """Return an event with these tournaments of it."""
    number = stored(found.id)
    return EventResponse(
        id=number,
        url=f"{BASE}/events/{number}",
        page=url_for("events.event", event_id=number),
        name=found.name,
        tournaments=[tournament_summary(tournament, current_user()) for tournament in tournaments],
    )
